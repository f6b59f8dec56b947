// Elements out of data. Text becomes text nodes: whatever stands in a file is shown, never read as markup.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter(child => child != null && child !== "" && child !== false));
  return made;
}

let sections = 0;

/// A section of the page, in the list of contents too.
function section(title, ...children) {
  const id = title.toLowerCase().replace(/[^a-z]+/g, "-") + "-" + ++sections;
  document.getElementById("contents").append(element("li", {}, element("a", {href: "#" + id}, title)));
  const made = element("section", {id, "aria-labelledby": id + "-title"},
    element("h2", {id: id + "-title"}, title), ...children);
  document.getElementById("main").append(made);
  return made;
}

/// What happened, for a screen reader and for a moment on the page.
function say(text) {
  document.getElementById("said").textContent = text;
}

/// Names and values; what has no value is left out.
function facts(pairs) {
  return element("dl", {class: "facts"}, pairs.filter(([, value]) => value != null && value !== "").map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, typeof value === "string" ? withArrows(value) : value))));
}

/// A text whose arrows stay whole: a line may otherwise end between the '-' and the '>'.
const withArrows = text => text.split(/(->)/).map(part => part === "->" ? element("span", {class: "whole"}, part) : part);

/// A name that may be broken behind its slashes and underscores.
const breakable = name => name.split(/(?<=[/_])/).flatMap(part => [part, element("wbr")]);

/// A verdict by sign, word and color.
const verdictMark = (verdict, word = verdicts[verdict]?.word ?? verdict) =>
  element("span", {class: "verdict " + verdict},
    element("span", {"aria-hidden": "true"}, verdicts[verdict]?.glyph ?? ""), "\u00a0", word);

async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", {class: "hidden", "aria-hidden": "true"});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(what + " copied");
}

/// A button that copies what `make` gives, and says so for a moment.
function copyButton(title, what, make) {
  const button = element("button", {type: "button", class: "copy", onclick: async () => {
    await copyText(make(), what);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = title; }, 2000);
  }}, title);
  return button;
}
