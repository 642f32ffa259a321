/** What shows the panel of a name, or the one shown so far, in each example. */
const groups = [];

/** Adds a button to each block of code, and joins the blocks of an example as tabs. */
export function improveCode() {
  for (const block of document.querySelectorAll('article pre')) addCopy(block);
  for (const [index, group] of [...document.querySelectorAll('.tabs')].entries()) {
    groups.push(addTabs(group, index));
  }
  const last = recall();
  for (const select of groups) select(last);
}

function addCopy(block) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, button);
  let timer;
  button.addEventListener('click', async () => {
    button.textContent = (await copied(block)) ? 'Copied' : 'Press Ctrl-C';
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
}

/** Without access to the clipboard, which browsers give to secure origins alone, the code is selected. */
async function copied(block) {
  try {
    await navigator.clipboard.writeText(block.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(block);
    return false;
  }
}

/** Tabs as of the ARIA Authoring Practices: arrows move, and the choice applies to every example. */
function addTabs(group, index) {
  const panels = [...group.children];
  const list = document.createElement('div');
  list.className = 'tab-list';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = panels.map((panel, place) => tabOf(panel, `tab-${index}-${place}`));
  list.append(...tabs);
  group.prepend(list);
  const select = (name) => {
    const chosen = panels.findIndex((panel) => panel.dataset.name === name);
    const shown =
      chosen >= 0
        ? chosen
        : Math.max(
            0,
            panels.findIndex((panel) => !panel.hidden),
          );
    for (const [place, panel] of panels.entries()) {
      panel.hidden = place !== shown;
      tabs[place].setAttribute('aria-selected', String(place === shown));
      tabs[place].tabIndex = place === shown ? 0 : -1;
    }
  };
  list.addEventListener('click', ({ target }) => {
    if (tabs.includes(target)) chooseAll(target);
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    next.focus();
    chooseAll(next);
  });
  return select;
}

function tabOf(panel, id) {
  const tab = document.createElement('button');
  Object.assign(tab, { type: 'button', id, textContent: panel.dataset.name });
  tab.setAttribute('role', 'tab');
  panel.id = `${id}-panel`;
  tab.setAttribute('aria-controls', panel.id);
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', id);
  panel.querySelector('.tab-name').hidden = true;
  return tab;
}

/** The page keeps its place on the screen while examples above it change their height. */
function chooseAll(tab) {
  const before = tab.getBoundingClientRect().top;
  for (const select of groups) select(tab.textContent);
  scrollBy(0, tab.getBoundingClientRect().top - before);
  remember(tab.textContent);
}

const STORED = 'decision-ledger-docs-language';

function recall() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** Browsers may refuse storage; the choice then holds for this page. */
function remember(name) {
  try {
    localStorage.setItem(STORED, name);
  } catch {}
}
