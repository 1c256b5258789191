/** What lies over a page is closed by Back, which then leaves the page. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import type { Feed } from '#contract/feeds.ts';
import type { HeldPatient } from '#contract/pre-admit.ts';
import { DocumentFeedDrawer } from '../feeds/document-feed-drawers.tsx';
import { HealthDrawer } from '../feeds/health-drawer.tsx';
import { ErrorModal } from '../manual/error-modal.tsx';
import { LookUpDrawer } from '../pre-admit/look-up-drawer.tsx';
import { makeRouter } from '../routes/router.ts';
import { serve } from '../testing/app.tsx';
import { memoryHistory } from '../testing/memory-history.ts';
import { show } from '../testing/show.tsx';
import { Palette } from './palette/palette.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';

const held = {
  id: '1',
  firstName: 'Zoe',
  lastName: 'Abernathy',
  dob: '1950-01-02',
  groupName: 'Oak Hollow',
} as HeldPatient;
const feed = { id: '3', name: 'Mercy documents', kind: 'CCDA', pausedAt: null, waiting: null } as unknown as Feed;
const layers: Record<string, (close: () => void) => ReactNode> = {
  'the look-up of a held patient': (close) => <LookUpDrawer held={held} close={close} />,
  'the health of a feed': (close) => <HealthDrawer feed={feed} close={close} />,
  'a dialog': (close) => <ErrorModal title="Couldn’t open this patient." error={new Error()} close={close} />,
  'a modal': (close) => <ShortcutSheet close={close} />,
  'the palette': (close) => <Palette close={close} />,
  'a feed of documents': (close) => <DocumentFeedDrawer feed={feed} saved={() => {}} close={close} />,
};

const Page = ({ layer }: { layer: (close: () => void) => ReactNode }) => {
  const [isOpen, set] = useState(false);
  return (
    <>
      <button type="button" onClick={() => set(true)}>
        Open
      </button>
      {isOpen && layer(() => set(false))}
    </>
  );
};

test.each(Object.entries(layers))('Back closes %s', async (_, layer) => {
  serve({});
  const history = memoryHistory('/login');
  const router = makeRouter(history);
  await router.navigate({ to: '/registration' });
  show(<Page layer={layer} />, router);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog');
  history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(history.location.href).toBe('/registration');
  history.back();
  await waitFor(() => expect(history.location.href).toBe('/login'));
});

test('Back closes a dialog over a drawer first, then the drawer, and then leaves the page', async () => {
  serve({});
  const history = memoryHistory('/login');
  const router = makeRouter(history);
  await router.navigate({ to: '/registration' });
  const Both = ({ close }: { close: () => void }) => (
    <>
      <DocumentFeedDrawer feed={feed} saved={() => {}} close={close} />
      <Page layer={layers['a dialog'] ?? (() => null)} />
    </>
  );
  show(<Page layer={(close) => <Both close={close} />} />, router);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog', { name: feed.name });
  fireEvent.click(screen.getAllByText('Open')[1] as HTMLElement);
  await screen.findByText('Couldn’t open this patient.');
  history.back();
  await waitFor(() => expect(screen.queryByText('Couldn’t open this patient.')).toBeNull());
  expect(screen.getByRole('dialog', { name: feed.name })).toBeTruthy();
  history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(history.location.href).toBe('/registration');
  history.back();
  await waitFor(() => expect(history.location.href).toBe('/login'));
});
