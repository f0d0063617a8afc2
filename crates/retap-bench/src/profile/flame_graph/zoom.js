const boxes = [...document.querySelectorAll(".box")];
const margin = 12, inner = 1576, letter = 6.7;
const number = (box, name) => Number(box.dataset[name]);
function show(chosen) {
  const left = number(chosen, "left"), share = number(chosen, "share"), depth = number(chosen, "depth");
  const end = left + share, close = 1e-6;
  for (const box of boxes) {
    const from = number(box, "left"), to = from + number(box, "share"), [rect, text] = [box.children[1], box.children[2]];
    const caller = number(box, "depth") !== depth || box === chosen;
    box.style.display = caller && from + close < end && to - close > left ? "" : "none";
    const x = margin + Math.max(0, (from - left) / share) * inner;
    const width = Math.min(1, (to - Math.max(from, left)) / share) * inner;
    rect.setAttribute("x", x);
    rect.setAttribute("width", Math.max(0.3, width));
    text.setAttribute("x", x + 3);
    const letters = Math.max(0, Math.floor((width - 4) / letter)), label = box.dataset.label;
    text.textContent = label.length > letters ? (letters > 2 ? label.slice(0, letters - 1) + "…" : "") : label;
  }
}
boxes.forEach((box) => box.addEventListener("click", () => show(box)));
