import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import '@mantine/core/styles.css';
import './styles.css';
import { onIdentityNeeded, onSessionEnded, onUnavailable } from './api/call.ts';
import { queryClient } from './api/query-client.ts';
import { reportUncaught } from './errors/report.ts';
import { legacyRedirect, router } from './routes/router.ts';
import { isInEhr } from './session/ehr-frame.ts';
import { endSession } from './session/end-session.ts';
import { confirmIdentity } from './session/identity.ts';
import { syncTabs } from './session/sync-tabs.ts';
import { resolver, theme } from './theme.ts';
import { styleNonce } from './ui/content-policy.ts';

reportUncaught();
onSessionEnded(() => endSession(router));
// Within the document, so that what was typed is there after going back.
onUnavailable(() => void router.navigate({ to: '/error' }));
onIdentityNeeded(confirmIdentity);
syncTabs(router);
// Nothing was clicked yet that the focus could be lost from.
void import('./ui/keep-focus.ts').then(
  ({ keepFocus }) => keepFocus(),
  () => {},
);
// Tracking isn't urgent, so it loads separately.
void import('./usage/follow.ts').then(
  ({ follow }) => follow(router, legacyRedirect),
  () => {},
);

// Inside an EHR the pages are light, as the EHR is.
const colors = isInEhr() ? { forceColorScheme: 'light' as const } : {};
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
      {...colors}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
