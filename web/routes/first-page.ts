/** What the first page after sign-in needs, in one chunk: it compresses better than its parts. */
export { InboxPage } from '../inbox/inbox-page.tsx';
export { Shell } from '../shell/shell.tsx';
