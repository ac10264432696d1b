"""Drawings as SVG files whose unit is the millimetre, so that they print and cut true to scale."""

from xml.sax.saxutils import escape, quoteattr

from hardware.shapes import CAPITALS, Drawing, Ellipse, Poly, Rect, Shape, Style

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def number(value: float) -> str:
    """A length with a thousandth of a millimetre at most, and no needless zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def text_of(drawing: Drawing) -> str:
    """The whole file."""
    width, height = number(drawing.width), number(drawing.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" stroke-linejoin="round">',
        f"<title>{escape(drawing.title)}</title>",
        *(_element(shape) for shape in drawing.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _style(style: Style) -> str:
    parts = [f'fill="{style.fill or "none"}"']
    if style.stroke is not None:
        parts.append(f'stroke="{style.stroke}" stroke-width="{number(style.width)}"')
        if style.dash:
            parts.append(f'stroke-dasharray="{" ".join(number(one) for one in style.dash)}"')
        if style.width > 2:
            parts.append('stroke-linecap="round"')
    return " ".join(parts)


def _element(shape: Shape) -> str:
    tag = f" data-tag={quoteattr(shape.tag)}" if shape.tag else ""
    if isinstance(shape, Ellipse):
        where = f'cx="{number(shape.x)}" cy="{number(shape.y)}"'
        size = f'rx="{number(shape.rx)}" ry="{number(shape.ry)}"'
        return f"<ellipse {where} {size} {_style(shape.style)}{tag}/>"
    if isinstance(shape, Rect):
        where = f'x="{number(shape.x)}" y="{number(shape.y)}"'
        size = f'width="{number(shape.width)}" height="{number(shape.height)}"'
        radius = f' rx="{number(shape.radius)}"' if shape.radius else ""
        return f"<rect {where} {size}{radius} {_style(shape.style)}{tag}/>"
    if isinstance(shape, Poly):
        points = " ".join(f"{number(x)},{number(y)}" for x, y in shape.points)
        kind = "polygon" if shape.closed else "polyline"
        return f'<{kind} points="{points}" {_style(shape.style)}{tag}/>'
    bold = ' font-weight="bold"' if shape.bold else ""
    anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
    down = shape.size * CAPITALS / 2
    if shape.turn:
        where = (
            f'transform="translate({number(shape.x)} {number(shape.y)}) '
            f'rotate({number(shape.turn)})" y="{number(down)}"'
        )
    else:
        where = f'x="{number(shape.x)}" y="{number(shape.y + down)}"'
    return (
        f'<text {where} font-size="{number(shape.size)}" fill="{shape.fill}"{anchor}{bold}{tag}>'
        f"{escape(shape.text)}</text>"
    )
