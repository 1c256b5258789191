import { onForget } from './forget.ts';
import { VisuallyHidden } from './plain/text.tsx';
import { createStore } from './store.ts';

const announcement = createStore('');
onForget(() => announcement.set(''));

/** Has screen readers read out a text, politely, without showing it. */
export const announce = (text: string): void => {
  // A repeated text is read out only if it differs, so a no-break space is added.
  announcement.set(text === announcement.get() ? `${text}\u00a0` : text);
};

/** The page's one live region. */
export const Announcer = () => (
  <VisuallyHidden role="status" aria-live="polite">
    {announcement.use()}
  </VisuallyHidden>
);
