import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Feed } from '#contract/feeds.ts';
import { directoryAnswers } from '../testing/directory-answers.ts';
import { show } from '../testing/show.tsx';
import { stubApi } from '../testing/stub-api.ts';
import { AddFeedDrawer, AddFhirFeedDrawer, FeedSettingsDrawer } from './feed-settings-drawer.tsx';

const feed: Feed = {
  id: '1',
  name: 'Mercy ADT',
  kind: 'MLLP',
  organizationName: 'Lakeshore',
  sendingApplication: null,
  sendingFacility: null,
  timeZone: 'America/Detroit',
  pausedAt: null,
  lastMessageAt: null,
  seenDates: { MDY: 0, DMY: 0, EITHER: 0 },
  hasUnreadDates: false,
  receivedToday: 0,
  quarantined: 0,
  facilities: [],
  health: {
    state: 'HEARD',
    silentSince: null,
    silentFacilities: [],
    lastDay: 0,
    usualDay: null,
    delayMinutes: null,
    missingFields: 0,
    unmappedCodes: 0,
  },
  suggestedCodes: [],
  approvedAt: '2026-11-20T15:00:00Z',
  waiting: null,
};
const kept = {
  name: 'Mercy ADT',
  sendingApplication: null,
  sendingFacility: 'MGH',
  settings: { locationMap: { '4W': { unit: 'Observation unit' } } },
  facilities: [{ identifier: 'MGH', groupId: '7', registrationIsVisit: false }],
  isBackfill: false,
  isWaiting: false,
  version: '1',
};
const group = {
  id: '7',
  name: 'Mercy General',
  type: 'HOS',
  facilityType: 'HOS',
  state: null,
  timeZone: 'America/Detroit',
  address: null,
  isAutomated: true,
  waitsForApproval: false,
  canApprove: false,
  canLiftPart2: false,
  isPart2Facility: false,
  organization: null,
  version: '1',
};
const seen = {
  since: '2026-10-01',
  codes: [
    { field: 'PV1-18', code: 'CLI', arrivals: 900, discharges: 4, longStays: 0, suggestedBy: null },
    { field: 'PV1-18', code: 'OBV', arrivals: 42, discharges: 40, longStays: 38, suggestedBy: 'NAME' },
    { field: 'PV1-10', code: 'HOLD', arrivals: 1, discharges: 8, longStays: 6, suggestedBy: 'USE' },
  ],
};
const open = (save: unknown) => {
  const asked = stubApi({
    'GET /api/admin/feeds/:id/settings': kept,
    'GET /api/admin/feeds/:id/outpatient-codes': seen,
    ...directoryAnswers({ groups: [group] }),
    'PUT /api/admin/feeds/:id/settings': save,
  });
  const saved = vi.fn();
  show(<FeedSettingsDrawer feed={feed} saved={saved} close={vi.fn()} />);
  return { asked, saved };
};
const lastBody = (asked: { body: unknown }[]): unknown => asked.at(-1)?.body;
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('errors of the server are shown at their fields and linked to them', async () => {
  const { saved } = open({
    refuse: 400,
    errorKey: 'BAD_REQUEST',
    message: 'The request is not as this call expects it.',
    fields: { 'facilities.1.identifier': 'belongs to another feed', 'settings.locationMap.4W.unit': 'is taken' },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Add row to facilities' }));
  await userEvent.type(screen.getByLabelText('Sent as, row 2'), 'OAK');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const error = await screen.findByText('belongs to another feed');
  const field = screen.getAllByLabelText('Sent as, row 2')[0];
  expect(field?.getAttribute('aria-invalid')).toBe('true');
  expect(field?.getAttribute('aria-describedby')).toContain(error.id);
  expect(screen.getByText('is taken')).toBeTruthy();
  expect(saved).not.toHaveBeenCalled();
});

test('a customized table starts as the standard one and can be reset', async () => {
  const { asked, saved } = open(kept);
  await userEvent.click((await screen.findAllByRole('button', { name: 'Customize table' }))[1] as HTMLElement);
  await userEvent.click(screen.getByRole('button', { name: 'Remove row 1 of discharge dispositions' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  const { settings } = lastBody(asked) as { settings: { dispositionMap: Record<string, string> } };
  expect(settings.dispositionMap).toMatchObject({ 'HOME OR SELF CARE': '01' });
  expect(settings.dispositionMap).not.toHaveProperty('HOME');
  await userEvent.click(screen.getByRole('button', { name: 'Use standard table' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledTimes(2));
  expect((lastBody(asked) as typeof kept).settings).toEqual(kept.settings);
});

test('a suggested observation code is taken over with one click, and the form says what saving will change', async () => {
  const { asked, saved } = open(kept);
  const suggestions = await screen.findByRole('region', { name: 'Suggested observation codes' });
  expect(suggestions.textContent).toContain('OBV – Patient type (PV1-18). 42 visits. The name looks like observation.');
  expect(suggestions.textContent).toContain('6 of 8 discharges were from a bed, 8 hours or more after arrival.');
  expect(screen.queryByRole('region', { name: 'What saving does' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Read OBV as observation' }));
  expect(screen.getByRole('region', { name: 'What saving does' }).textContent).toBe(
    'Outpatients with PV1-18 OBV will be observation stays, which send pings. ' +
      'Since 10/01/2026, up to 42 visits had such a code. ' +
      'This applies to new messages; earlier visits change when you replay their messages.',
  );
  expect(screen.queryByRole('button', { name: 'Read OBV as observation' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect((lastBody(asked) as { settings: object }).settings).toEqual({
    ...kept.settings,
    observationCodes: { patientTypes: ['OBV'], hospitalServices: [] },
  });
});

test('an observation code that is empty or entered twice is an error at its row', async () => {
  const { saved } = open(kept);
  await userEvent.click(await screen.findByRole('button', { name: 'Add row to observation codes' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Enter the code.')).toBeTruthy();
  const code = within(screen.getByRole('region', { name: 'Observation' })).getByLabelText('Sent as, row 1');
  await userEvent.type(code, 'obv');
  await userEvent.click(screen.getByRole('button', { name: 'Read HOLD as observation' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add row to observation codes' }));
  const codes = within(screen.getByRole('region', { name: 'Observation' }));
  await userEvent.type(codes.getByLabelText('Sent as, row 3'), 'OBV ');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Duplicate of an earlier row.')).toBeTruthy();
  await userEvent.selectOptions(codes.getByLabelText('Field, row 3'), 'Hospital service (PV1-10)');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
});

test('a feed is set up for an unknown sender in the time zone of the selected facility, with errors at their fields', async () => {
  const refusal = {
    refuse: 400,
    errorKey: 'BAD_REQUEST',
    message: 'The request is not as this call expects it.',
    fields: { sendingFacility: 'belongs to another feed' },
  };
  const asked = stubApi({
    ...directoryAnswers({ groups: [group, { ...group, id: '8', name: 'Oakwood', timeZone: 'America/Chicago' }] }),
    'POST /api/admin/feeds': ({ name }: { name: string }) => (name === 'Oak ADT' ? { id: '2', messages: 3 } : refusal),
  });
  const saved = vi.fn();
  const sender = { sendingApplication: '', sendingFacility: 'OAK', messages: 3, lastMessageAt: '2026-11-20T09:00:00Z' };
  show(<AddFeedDrawer sender={sender} saved={saved} close={vi.fn()} />);
  const name = await screen.findByLabelText('Name');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Enter a name.')).toBeTruthy();
  expect(await screen.findByText('Choose a facility.')).toBeTruthy();
  await userEvent.type(name, 'Mercy');
  await userEvent.selectOptions(screen.getByLabelText('Facility, row 1'), 'Oakwood');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const error = await screen.findByText('belongs to another feed');
  expect(screen.getByLabelText('Sending facility (MSH-4)').getAttribute('aria-describedby')).toContain(error.id);
  await userEvent.clear(name);
  await userEvent.type(name, 'Oak ADT');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(saved).toHaveBeenCalledWith(
      'The feed Oak ADT was added. 3 messages from its sender are in quarantine. Replay them.',
    ),
  );
  expect(lastBody(asked)).toMatchObject({
    name: 'Oak ADT',
    sendingApplication: null,
    sendingFacility: 'OAK',
    settings: { timeZone: 'America/Chicago' },
    facilities: [{ identifier: 'OAK', groupId: '8', registrationIsVisit: false }],
  });
});

test('a FHIR feed is added without a sender, and its settings have its tokens', async () => {
  const asked = stubApi({
    ...directoryAnswers({ groups: [group] }),
    'POST /api/admin/feeds': { id: '2', messages: 0, isWaiting: true },
  });
  const saved = vi.fn();
  show(<AddFhirFeedDrawer saved={saved} close={vi.fn()} />);
  await userEvent.type(await screen.findByLabelText('Name'), 'Elm FHIR');
  await userEvent.type(screen.getByLabelText('Sent as, row 1'), 'Elm Hospital');
  expect(screen.queryByLabelText('Sending facility (MSH-4)')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(saved).toHaveBeenCalledWith(
    'The feed Elm FHIR was added. Issue a token for its system under Settings. An operator has to approve its sender before its messages are processed.',
  );
  expect(lastBody(asked)).toMatchObject({
    kind: 'FHIR',
    name: 'Elm FHIR',
    facilities: [{ identifier: 'Elm Hospital', groupId: '7' }],
  });
  cleanup();
  stubApi({
    'GET /api/admin/feeds/:id/settings': { ...kept, sendingApplication: 'FHIR feed 2', sendingFacility: null },
    'GET /api/admin/feeds/:id/outpatient-codes': { ...seen, codes: [] },
    'GET /api/admin/feeds/:id/tokens': [],
    ...directoryAnswers({ groups: [group] }),
  });
  show(<FeedSettingsDrawer feed={{ ...feed, id: '2', kind: 'FHIR' }} saved={vi.fn()} close={vi.fn()} />);
  const tokens = await screen.findByRole('region', { name: 'Tokens' });
  expect(tokens.textContent).toContain('/fhir/$process-message');
  expect(await within(tokens).findByText('No tokens. No system can send messages.')).toBeTruthy();
});
