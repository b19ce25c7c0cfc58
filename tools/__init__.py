"""Programs that write or check files of the repository; they are not in the package."""
