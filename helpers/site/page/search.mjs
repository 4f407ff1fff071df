// A search in the headings of the course.

const MOST = 12;

/**
 * Put a field into a place, and below it the headings that hold all words in it.
 * @param {Element} place
 */
export function offerSearch(place) {
  const field = Object.assign(document.createElement("input"), { type: "search", placeholder: "Search the headings" });
  const told = document.createElement("p");
  const found = document.createElement("ul");
  field.setAttribute("aria-label", "Search the headings");
  told.setAttribute("role", "status");
  place.replaceChildren(field, told, found);

  field.addEventListener("input", async () => {
    const hits = await search(field.value);
    told.textContent = field.value.trim() && !hits.length ? "No heading has these words." : "";
    found.replaceChildren(...hits.slice(0, MOST).map(entry));
  });
}

const root = new URL("..", import.meta.url);
/** @type {Promise<{ page: string, heading: string, address: string }[]> | undefined} */
let headings; // fetched when somebody searches

async function search(text) {
  headings ??= fetch(new URL("search.json", root)).then((answer) => answer.json());
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ page, heading }) => words.every((word) => `${page} ${heading}`.toLowerCase().includes(word));
  return words.length ? (await headings).filter(fits) : [];
}

/** A heading that was found, as a link. */
function entry({ page, heading, address }) {
  const link = document.createElement("a");
  link.href = new URL(address, root).href;
  link.textContent = page.endsWith(heading) ? page : `${page}: ${heading}`;
  const item = document.createElement("li");
  item.append(link);
  return item;
}
