import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import '@mantine/core/styles.css';
import 'virtual:theme.css';
import './styles.css';
import { onIdentityNeeded, onSessionEnded, onUnavailable } from './api/call.ts';
import { queryClient } from './api/query-client.ts';
import { reportUncaught } from './errors/report.ts';
import { RouterProvider } from './router/outlet.tsx';
import { legacyRedirect, router } from './routes/router.ts';
import { isInEhr } from './session/ehr-frame.ts';
import { endSession } from './session/end-session.ts';
import { confirmIdentity } from './session/identity.ts';
import { syncTabs } from './session/sync-tabs.ts';
import { followColorScheme } from './ui/color-scheme.ts';
import { MantineLater } from './ui/mantine-context.tsx';
import { legacyTarget } from './usage/legacy-url.ts';

/** In milliseconds. Whoever is on another page by then hasn't used the first one. */
const TRACKED_AFTER = 1000;

reportUncaught();
onSessionEnded(() => endSession(router));
// Within the document, so that what was typed is there after going back.
onUnavailable(() => void router.navigate({ to: '/error' }));
onIdentityNeeded(confirmIdentity);
syncTabs(router);
// Until something has the focus, it can't be lost.
const focused: (EventTarget | null)[] = [];
document.addEventListener('focusin', function note({ target }) {
  if (focused.push(target) > 1) return;
  import('./ui/keep-focus.ts').then(
    ({ keepFocus }) => {
      document.removeEventListener('focusin', note);
      keepFocus(focused);
    },
    () => {},
  );
});
// Tracking isn't urgent, so it loads when the first page is there.
const stopWaiting = router.onResolved(() => {
  stopWaiting();
  setTimeout(
    () =>
      void import('./usage/follow.ts').then(
        ({ follow }) => follow(router, legacyRedirect, legacyTarget),
        () => {},
      ),
    TRACKED_AFTER,
  );
});

router.start();

// Inside an EHR the pages are light, as the EHR is: also after a sign-in, or the redirect of another address, leads there.
router.onResolved(followColorScheme(isInEhr));
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element.');
createRoot(root).render(
  <StrictMode>
    <MantineLater>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineLater>
  </StrictMode>,
);
