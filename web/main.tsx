import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import '@mantine/core/styles.css';
import './styles.css';
import { onSessionEnded } from './api/call.ts';
import { queryClient } from './api/query-client.ts';
import { reportUncaught } from './errors/report.ts';
import { legacyRedirect, router } from './routes/router.tsx';
import { isInEhr } from './session/ehr-frame.ts';
import { endSession } from './session/end-session.ts';
import { followTabs } from './session/follow-tabs.ts';
import { resolver, theme } from './theme.ts';

reportUncaught();
onSessionEnded(() => endSession(router));
followTabs(router);
// Nobody waits for it, so it is no part of what loads first.
void import('./usage/follow.ts').then(
  ({ follow }) => follow(router, legacyRedirect),
  () => {},
);

// Inside an EHR the host's light is ours.
const colors = isInEhr() ? { forceColorScheme: 'light' as const } : {};
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={resolver} defaultColorScheme="auto" {...colors}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
