"""What tests ask of any figure."""

from matplotlib.backends.backend_agg import FigureCanvasAgg


def inside(figure) -> bool:
    """Whether all that is drawn lies within the figure."""
    drawn = figure.get_tightbbox(FigureCanvasAgg(figure).get_renderer())  # inches
    width, height = figure.get_size_inches()
    return min(drawn.x0, drawn.y0) >= 0 and drawn.x1 <= width and drawn.y1 <= height
