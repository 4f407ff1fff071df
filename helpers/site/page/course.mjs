// What a page of the course can do beyond being read: its grids train, and what is too wide can be
// scrolled by keys.

import { begin } from "./live.mjs";
import { offerSearch } from "./search.mjs";

/** Grids begin when they come into view: each has a worker of its own. */
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    begin(/** @type {HTMLElement} */ (target));
  }
});
for (const place of document.querySelectorAll(".live")) seen.observe(place);

/** What scrolls can have the focus, and nothing else. */
const measured = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
for (const place of document.querySelectorAll("pre, .wide")) measured.observe(place);

offerSearch(document.querySelector("#search"));
