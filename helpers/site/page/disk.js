// A browser runs no modules in a page that is opened from a disk, so that no grid trains there. This
// is no module: it says what to run.

if (location.protocol === "file:") {
  for (const place of document.querySelectorAll(".live > p")) {
    place.textContent = "A page opened from a disk cannot train: run python3 -m http.server in the site's folder, where " +
      "index.html is, and open http://localhost:8000 in the browser.";
  }
}
