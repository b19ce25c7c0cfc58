// The data of a page, and functions that find and make its elements.

const DATA = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/** The bytes of a base64 string. */
const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const SVG = "http://www.w3.org/2000/svg";

/** Sets attributes, or listens where the value is a function ("onclick"); adds children. */
function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice("on".length), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** An HTML element with attributes and children. */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** An SVG element with attributes and children. */
function drawing(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}
