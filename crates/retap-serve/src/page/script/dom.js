'use strict';
// What all parts of the page share. Texts of the app reach the page as text nodes only.
const byId = (id) => document.getElementById(id);
const group = new Intl.NumberFormat('en').format;
const simpleName = (name) => name.split(/[.$]/).pop() || name;
const count = (number, noun) => `${group(number)} ${noun}${number === 1 ? '' : 's'}`;

/** Creates an element. Attributes that begin with "on" are listeners; children are elements and texts. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child != null && child !== ''));
  return element;
}

const isolated = (text) => make('bdi', {}, text);

/** Shows what went wrong for a while. */
function complain(text) {
  const message = byId('message');
  message.textContent = text;
  message.hidden = false;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => { message.hidden = true; }, 9000);
}
