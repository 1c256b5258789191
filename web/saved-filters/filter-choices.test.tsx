import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { SavedFilter } from '#contract/saved-filters.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';
import { savedFilter } from '../testing/saved-filters.ts';

liveStream();
// The simulated DOM has no popovers.
beforeEach(() => {
  HTMLElement.prototype.hidePopover = () => {};
});

const saved = (id: number, name: string, over: Partial<SavedFilter> = {}) => savedFilter(String(id), name, over);

const open = (
  filters: SavedFilter[],
  answers: Parameters<typeof serve>[0] = {},
  path = '/dashboard/patients/my-patients',
) => {
  setWidth(1440);
  serve({
    'GET /api/me': [200, somebody({}, { permissions: ['canViewPatients', 'canViewPings', 'canViewEventFeed'] })],
    'GET /api/patients/count': [200, { count: 200 }],
    'GET /api/pings/count/open': [200, { count: 0 }],
    'GET /api/pings/count/resolved': [200, { count: 0 }],
    'GET /api/patient-search-params': [200, filters],
    'GET /api/patient-search-params/preferences': [200, []],
    'GET /api/notification-filter-preferences': [200, []],
    'POST /api/patients/search': [200, { patients: [patientWith()], total: 48, numPages: 5, facets: {} }],
    ...answers,
  });
  openApp(path);
};

const openMenu = async () => {
  const button = await screen.findByRole('button', { name: /^Filter: / });
  const popover = document.getElementById(button.getAttribute('popovertarget') ?? '');
  popover?.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'open' }));
  return within(await screen.findByRole('menu', { name: 'Choose a filter' }));
};
const names = (menu: Awaited<ReturnType<typeof openMenu>>) =>
  menu.queryAllByRole('menuitemradio').map(({ textContent }) => textContent?.trim());

test('a field finds filters by words of their names once there are many, also by typing on an item', async () => {
  open([
    ...Array.from({ length: 9 }, (_, n) => saved(n + 1, `Ward ${n + 1} east`)),
    saved(10, 'East stroke', { isShared: true, owner: { name: 'Pat Owner', isYou: false, isOnTeam: true } }),
  ]);
  const menu = await openMenu();
  const field = await screen.findByRole('searchbox', { name: 'Find a saved filter' });
  expect(names(menu)).toHaveLength(11);
  expect(within(menu.getByRole('menuitem', { name: 'Save as new filter…' })).queryByRole('searchbox')).toBe(null);
  menu.getByRole('menuitemradio', { name: 'Ward 2 east' }).focus();
  await userEvent.keyboard('east str');
  expect(document.activeElement).toBe(field);
  expect(names(menu)).toEqual(['East stroke (Pat Owner)']);
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('East stroke');
  await userEvent.type(field, 'xx');
  expect(names(menu)).toEqual([]);
  expect(menu.getByText('No matches. Try fewer letters.')).toBeTruthy();
});

test('filters of other lists come last and say where they were saved; a few need no field', async () => {
  open([
    saved(1, 'Unresolved', { searchContext: 'PINGS' }),
    saved(2, 'High risk'),
    saved(3, 'Deaths', { searchContext: 'EVENTS' }),
  ]);
  const menu = await openMenu();
  await menu.findByText('Saved on other lists');
  expect(names(menu).slice(-3)).toEqual(['High risk', 'Unresolved (Pings)', 'Deaths (Event feed)']);
  expect(screen.queryByRole('searchbox', { name: 'Find a saved filter' })).toBe(null);
});

test('who deletes a shared filter is told how many colleagues use it', async () => {
  open([saved(1, 'Team list', { isShared: true })], {
    'GET /api/patient-search-params/uses': [200, [{ filterId: '1', lastUsedAt: null, count: 3, colleagues: 2 }]],
  });
  const menu = await openMenu();
  await userEvent.click(await menu.findByRole('menuitem', { name: 'Manage filters…' }));
  await screen.findByText(/3 patients now/);
  await userEvent.click(screen.getByRole('button', { name: 'Delete Team list' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete filter' });
  expect(dialog.textContent).toContain('2 colleagues use it. Everyone on the team loses it');
});

test('without a saved filter, the notifications of the event feed offer to save one', async () => {
  open(
    [],
    {
      'POST /api/events/search': [200, { patients: [patientWith()], total: 1, numPages: 1, facets: {} }],
      'GET /api/notification-settings': [
        200,
        {
          quietHours: null,
          timeZone: 'America/New_York',
          email: 'ana@lakeshore.example',
          phone: null,
          hasOptedOut: false,
          canEmail: true,
          canText: false,
        },
      ],
    },
    '/dashboard/event-feed',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit event feed notifications' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Save filter' }));
  await screen.findByRole('dialog', { name: 'Save filter' });
});
