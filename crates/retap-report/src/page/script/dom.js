// What all parts of the page share. Texts of the app reach the page as text nodes only.
const byId = (id) => document.getElementById(id);
const group = new Intl.NumberFormat('en').format;

/** Creates an element. Attributes that begin with "on" are listeners; children are elements and texts. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Creates an element of a drawing. */
function draw(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  return element;
}

const isolated = (text) => make('bdi', {}, text);
const count = (number, noun) => `${group(number)} ${noun}${number === 1 ? '' : 's'}`;
const simpleName = (name) => name.split(/[.$]/).pop() || name;

/** Waits until typing pauses, so that a long list is searched once. */
function debounce(action) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(action, 120); };
}

/** Runs an action when an element comes near the window. */
function whenNear(element, action) {
  if (!('IntersectionObserver' in window)) { action(); return; }
  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) { observer.disconnect(); action(); }
  }, { rootMargin: '400px' });
  observer.observe(element);
}

const data = (() => {
  const element = byId('data');
  if (!element) return null;
  try { return JSON.parse(element.textContent); } catch { return null; }
})();
const MARKS = { state: 1, code: 2, crash: 4, restart: 8, back: 16, limitation: 32, outside: 64, way: 128, missed: 256 };
const stateInfo = (number) => {
  const row = data.states[number - 1];
  if (!row) return null;
  const [activity, visits, first, picture, crashed] = row;
  return { number, activity: data.activities[activity] || '', visits, first, picture, crashed: crashed === 1 };
};
const stateName = (state) => `State ${state.number}, ${state.activity ? simpleName(state.activity) : 'no activity'}`;
