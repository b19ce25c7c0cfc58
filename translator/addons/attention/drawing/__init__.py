"""Pictures of attention and of the model, drawn by matplotlib."""
