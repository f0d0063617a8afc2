// The live screen: press to tap, hold to long-press, drag to swipe.
const view = { here: null, before: '' };
const HOLD = 500;
const glass = byId('glass');
const picture = byId('screen');

/** Returns the point of the device under a pointer, or none outside of the picture. */
function pointOf(event) {
  const box = picture.getBoundingClientRect();
  if (!picture.naturalWidth || !box.width) return null;
  const x = Math.round(((event.clientX - box.left) / box.width) * picture.naturalWidth);
  const y = Math.round(((event.clientY - box.top) / box.height) * picture.naturalHeight);
  const inside = x >= 0 && y >= 0 && x < picture.naturalWidth && y < picture.naturalHeight;
  return inside ? [x, y] : null;
}

let finger = null;
glass.addEventListener('pointerdown', (event) => {
  if (busy || event.button !== 0 || event.target.closest('#gone')) return;
  const at = pointOf(event);
  if (at) { finger = { at, time: performance.now() }; glass.setPointerCapture(event.pointerId); }
});
glass.addEventListener('pointerup', (event) => {
  const down = finger;
  finger = null;
  const to = pointOf(event);
  if (!down || !to) return;
  const distance = Math.hypot(to[0] - down.at[0], to[1] - down.at[1]);
  if (distance > picture.naturalWidth / 20) touch({ kind: 'drag', at: down.at, to });
  else if (performance.now() - down.time > HOLD) touch({ kind: 'long_press', at: down.at });
  else touch({ kind: 'tap', at: down.at });
});
glass.addEventListener('pointercancel', () => { finger = null; });
glass.addEventListener('pointermove', (event) => {
  if (finger) return;
  const at = pointOf(event);
  const widget = at && widgetAt(at);
  frame(widget ? widget.bounds : null);
});
glass.addEventListener('pointerleave', () => frame(null));

const touch = (value) => command('/api/touch', value, moved);

function moved(answer) {
  view.before = view.here && !view.here.gone ? view.here.state : view.before;
  view.here = answer;
}

/** Returns the innermost widget in front that has a number and holds a point. */
function widgetAt([x, y]) {
  const widgets = view.here ? view.here.screen.widgets : [];
  const holds = ([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom;
  return widgets.filter((widget) => widget.number && holds(widget.bounds)).pop() || null;
}

/** Draws a frame around a part of the screen. */
function frame(bounds) {
  const element = byId('frame');
  const box = picture.getBoundingClientRect();
  element.hidden = !bounds || !picture.naturalWidth;
  if (element.hidden) return;
  const around = glass.getBoundingClientRect();
  const scale = box.width / picture.naturalWidth;
  const [left, top, right, bottom] = bounds;
  element.style.left = `${box.left - around.left - glass.clientLeft + left * scale}px`;
  element.style.top = `${box.top - around.top - glass.clientTop + top * scale}px`;
  element.style.width = `${(right - left) * scale}px`;
  element.style.height = `${(bottom - top) * scale}px`;
}

async function showScreen() {
  const { here } = view;
  byId('gone').hidden = !here || !here.gone;
  byId('gone-back').hidden = !view.before;
  if (here && here.gone) byId('gone-text').textContent = here.crash ? `The app ${here.outcome}` : `The app is gone: ${here.outcome}`;
  const response = here && here.gone ? null : await fetch(address('/api/picture'), { cache: 'no-store' });
  const isPicture = response && response.ok && response.headers.get('content-type') === 'image/png';
  picture.hidden = !isPicture;
  byId('no-screen').hidden = isPicture || Boolean(here && here.gone);
  byId('no-screen').textContent = isPicture ? '' : 'This device draws no pictures. Use the list of widgets.';
  if (!isPicture) return;
  const old = picture.src;
  picture.src = URL.createObjectURL(await response.blob());
  if (old) URL.revokeObjectURL(old);
  await picture.decode().catch(() => {});
}

byId('gone-restart').addEventListener('click', () => command('/api/restart', {}, moved));
byId('gone-back').addEventListener('click', () => command('/api/go', { name: view.before }, moved));
byId('restart').addEventListener('click', () => command('/api/restart', {}, moved));
byId('launch').addEventListener('click', () => command('/api/event', 'launch', moved));
byId('death').addEventListener('click', () => command('/api/event', { system: 'process_death' }, moved));
byId('rotate').addEventListener('click', () => {
  const isPortrait = !view.here || view.here.screen.orientation.includes('portrait');
  command('/api/event', { rotate: isPortrait ? 'landscape' : 'portrait' }, moved);
});
for (const button of document.querySelectorAll('[data-key]')) {
  button.addEventListener('click', () => command('/api/event', { key: button.dataset.key }, moved));
}
