/**
 * Keeps the focus on the page. A browser drops it when the element that has it is removed or disabled, and a keyboard or screen reader
 * then starts over at the top of the page.
 */
/** What lies over the page. When it is removed, the focus goes back to where it was before. */
const LAYERS = 'dialog, [role="dialog"], [data-layer]';
const REGIONS = 'section, form, dialog, [role="dialog"], [role="group"], [role="region"], [tabindex="-1"], main';

/** Returns an element and what encloses it, from the inside to the outside. */
export const pathOf = (element: Element): Element[] => {
  const path: Element[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) path.push(at);
  return path;
};

const canHaveFocus = (element: Element): boolean => element.isConnected && !element.matches(':disabled, [inert] *');

/** Focuses the first element of a path that is still there, or else the nearest region around it. */
export const focusAlong = ([first, ...around]: Element[]): void => {
  if (first instanceof HTMLElement && canHaveFocus(first)) return first.focus();
  const region =
    around.find((element) => canHaveFocus(element) && element.matches(REGIONS)) ?? document.querySelector('main');
  if (!(region instanceof HTMLElement)) return;
  if (!region.hasAttribute('tabindex')) region.tabIndex = -1;
  region.focus({ preventScroll: true });
};

/**
 * Returns the focus, when the element that had it was removed, to what is around it; or to the element itself once it is enabled again. When
 * another page replaces the one that had it, its main part gets it, unless the page puts it on something in particular. What had the focus
 * before a dialog or a toast gets it back. `focused` is what had the focus before this was loaded, the first first.
 */
export const keepFocus = (focused: readonly (EventTarget | null)[] = []): void => {
  let path: Element[] = [];
  /** What had the focus before a layer got it. */
  const before = new WeakMap<Element, Element[]>();
  let frame = 0;
  let main = document.getElementById('main');
  let isNewPage = false;
  const check = (): void => {
    frame = 0;
    const [last] = path;
    const opened = isNewPage;
    isNewPage = false;
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    if (opened) return main?.focus({ preventScroll: true });
    if (!last) return;
    // A button that is only disabled while it works gets the focus back afterwards.
    if (last.isConnected && !canHaveFocus(last)) return;
    // After a sign-in or sign-out, the focus begins at the top, where it can skip to the content.
    if (path.some((element) => element.matches('main') && !element.isConnected)) return;
    const layer = path.findLast((element) => !element.isConnected && element.matches(LAYERS));
    focusAlong((layer && before.get(layer)) ?? path);
  };
  const note = (target: EventTarget | null): void => {
    const next = target instanceof Element ? pathOf(target) : [];
    for (const layer of next) if (layer.matches(LAYERS) && !path.includes(layer)) before.set(layer, path);
    path = next;
  };
  focused.forEach(note);
  document.addEventListener('focusin', ({ target }) => note(target));
  // A click on the page itself takes the focus away on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest('a, button, input, select, textarea, label, [tabindex]'))
      path = [];
  });
  // In the next frame: what is put in place of the removed element may take the focus itself.
  new MutationObserver(() => {
    if (!main?.isConnected) {
      const next = document.getElementById('main');
      isNewPage = main !== null && next !== null;
      main = next;
    }
    if (frame === 0 && (path.length > 0 || isNewPage) && (document.activeElement ?? document.body) === document.body)
      frame = requestAnimationFrame(check);
  }).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ['disabled'] });
};

/** A ref that gives an element the focus when it appears. The same function each time, so that it does so once. */
export const focusOnce = (element: HTMLElement | null): void => element?.focus();
