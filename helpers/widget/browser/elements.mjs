// The elements of the page.

/** Make an element: attributes, then children. JupyterLab leaves marked elements their keys. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (["button", "select", "input"].includes(tag) || "tabindex" in attributes) {
    element.setAttribute("data-lm-suppress-shortcuts", "true");
  }
  element.append(...children);
  return element;
}
