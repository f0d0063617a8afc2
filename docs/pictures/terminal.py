"""Turns what a command printed on a terminal into a picture: python3 terminal.py COMMAND <session >terminal.svg"""

import html
import re
import sys

WIDTH, LINE, LETTER, LEFT, TOP = 104, 18, 8.0, 16, 46
# Viewers of SVG take several spaces for one.
NO_BREAK = "\u00a0"
COLOURS = {"1": "#ffffff", "2": "#7d8b84", "31": "#ff8a7f", "32": "#4cc79f", "33": "#e5b94f", "36": "#7fd1e0"}


def last_words(line):
    """What a line shows in the end: whatever a progress bar wrote before is overwritten."""
    line = re.sub(r"\x1b\[[0-9;?]*[A-HJKhlr]", "\r", line)
    parts = [part for part in line.split("\r") if part.strip()]
    return parts[-1] if parts else ""


def spans(line):
    """The parts of a line with their colours."""
    colour, bold = None, False
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if code:
            for number in code[1].split(";"):
                colour = COLOURS.get(number) if number not in ("", "0") else None
                bold = number == "1"
        elif part:
            yield part, colour, bold


def span(text, colour, bold):
    """One part of a line as SVG."""
    fill = f' fill="{colour}"' if colour else ""
    weight = ' font-weight="700"' if bold else ""
    return f"<tspan{fill}{weight}>{html.escape(text).replace(' ', NO_BREAK)}</tspan>"


def main():
    command = sys.argv[1]
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    lines = [last_words(line) for line in text.split("\n")]
    lines = [line for line in lines if not re.match(r"Script (started|done)", line)]
    while lines and not lines[-1].strip():
        lines.pop()
    shown = [f"\x1b[32m$\x1b[0m \x1b[1m{command}\x1b[0m"]
    for line in lines:
        plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
        shown.append(line if len(plain) <= WIDTH else plain[: WIDTH - 1] + "…")
    width, height = WIDTH * LETTER + 2 * LEFT, TOP + LINE * len(shown) + 14
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" aria-label="A session of retap on a terminal">')
    print('<rect width="100%" height="100%" rx="10" fill="#121614"/>')
    for number, dot in enumerate(("#ff5f56", "#ffbd2e", "#27c93f")):
        print(f'<circle cx="{20 + 18 * number}" cy="18" r="5.5" fill="{dot}"/>')
    print('<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="13" fill="#d5ddd8">')
    for number, line in enumerate(shown):
        parts = "".join(span(*part) for part in spans(line))
        print(f'<text x="{LEFT}" y="{TOP + LINE * number}">{parts}</text>')
    print("</g></svg>")


main()
