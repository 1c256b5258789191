/** Where discharge summaries are shown: on case management and beside a rising risk, to those with all three permissions, and not on a phone. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { CcdEntry } from '#contract/documents.ts';
import type { Permission } from '#contract/permissions.ts';
import { DEFAULT_RISING_RISK_RULE, type RiskExplanation } from '#contract/rising-risk.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { encounterWith, patientWith, pingWith } from '../testing/patients.ts';

const UUID = '0b9f6c1e-6c8e-4b0e-9f0c-1d2e3f4a5b6c';
const PATIENT = '/dashboard/patients/1_2';
const NEEDED: Permission[] = ['canViewCcds', 'canViewCcdDischargeInfo', 'canViewDischargeSummaries'];
const SUMMARY: CcdEntry = {
  encounterId: '2',
  encounterFacilityName: 'Mercy General',
  encounterFacilityType: 'HOS',
  encounterStartDate: '2026-11-18T14:00:00Z',
  encounterEndDate: '2026-11-20T18:00:00Z',
  uuid: UUID,
  kind: 'PDF',
  title: 'Discharge summary',
  type: 'Discharge summary',
  author: null,
  writtenAt: '2026-11-20',
  receivedAt: '2026-11-20T18:10:00Z',
  size: 20_480,
  isDischargeSummary: true,
  isAddendum: false,
  isRestricted: false,
  problem: null,
  uploadedBy: 'Ana Ruiz',
};
const RISK: RiskExplanation = {
  reasons: [{ reason: 'RISING', visits: [] }],
  recent: 2,
  usual: 0,
  trend: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2],
  since: null,
};

liveStream();

function open(
  path: string,
  { permissions = NEEDED, width = 1440 }: { permissions?: Permission[]; width?: number } = {},
) {
  setWidth(width);
  HTMLElement.prototype.hidePopover = () => {};
  const ping = pingWith();
  const patient = patientWith({ risk: RISK, currentPing: ping, currentPingEncounter: encounterWith(ping) });
  const called = serve({
    'GET /api/me': [
      200,
      somebody({}, { permissions: ['canViewPings', 'canViewPatients', 'canViewRiskingRisk', ...permissions] }),
    ],
    'GET /api/patients/1_2': [200, patient],
    'GET /api/ccd/1_2/ccds': [200, [SUMMARY]],
    'GET /api/ccd/1_2/discharge-summary': [200, '<!doctype html><h1>Summary</h1>'],
    [`GET /api/patients/1_2/documents/${UUID}`]: [
      200,
      {
        entry: SUMMARY,
        document: null,
        text: null,
        file: { mediaType: 'application/pdf', size: 20_480 },
        medicationChanges: null,
      },
    ],
    'GET /api/patients/count': [200, { count: 1 }],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/search': [200, { patients: [patient], total: 1, numPages: 1, facets: {} }],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'GET /api/rising-risk/rule': [200, { rule: DEFAULT_RISING_RISK_RULE, isDefault: true }],
  });
  const router = openApp(path);
  return { router, asked: (route: string) => called.filter((one) => one.route === route).length };
}
const LIST = 'GET /api/ccd/1_2/ccds';
const user = userEvent.setup();
const summaries = () => screen.queryByRole('region', { name: 'Discharge summaries' });

test('case management has them, each with its visit and who uploaded it, and opens one in a frame without scripts', async () => {
  open(`${PATIENT}/case-management`);
  const section = within(await screen.findByRole('region', { name: 'Discharge summaries' }));
  expect(
    section.getByText(
      /Mercy General · 11\/18\/2026 – 11\/20\/2026 · .*Uploaded by link, by “Ana Ruiz” \(not verified\)/,
    ),
  ).toBeTruthy();
  await user.click(section.getByRole('button', { name: 'Read here' }));
  expect((await section.findByTitle('Discharge summary')).getAttribute('sandbox')).toBe('');
  await user.click(section.getByRole('link', { name: 'Discharge summary' }));
  expect(await screen.findByRole('article', { name: 'Discharge summary' })).toBeTruthy();
  expect(screen.getByText('Uploaded by link, by “Ana Ruiz” (not verified)')).toBeTruthy();
});

test('the rising-risk page has them beside the reasons', async () => {
  open('/dashboard/rising-risk');
  await user.click(await screen.findByRole('button', { name: /^Why is/ }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Why on the list?' }));
  expect(await drawer.findByRole('region', { name: 'Discharge summaries' })).toBeTruthy();
});

test('attachments say where they are', async () => {
  open(`${PATIENT}/attachments`);
  expect(await screen.findByText(/^1 discharge summary is under/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Discharge summary' })).toBeNull();
});

test('the address of a discharge summary among attachments leads to case management', async () => {
  const { router } = open(`${PATIENT}/attachments/${UUID}`);
  expect(await screen.findByRole('article', { name: 'Discharge summary' })).toBeTruthy();
  await waitFor(() => expect(router.location.pathname).toBe(`${PATIENT}/case-management/${UUID}`));
});

test.each(NEEDED)('without %s they are nowhere, and are not asked for', async (missing) => {
  const permissions = NEEDED.filter((each) => each !== missing);
  const { asked } = open(`${PATIENT}/case-management`, { permissions: [...permissions, 'canViewCarePlans'] });
  await screen.findByRole('heading', { name: 'Case management' });
  expect(summaries()).toBeNull();
  expect(asked(LIST)).toBe(0);
});

test('on a phone they are nowhere, and are not asked for', async () => {
  const { asked } = open(`${PATIENT}/case-management`, { width: 390 });
  await screen.findByRole('heading', { name: 'Case management' });
  expect(summaries()).toBeNull();
  expect(asked(LIST)).toBe(0);
});

test('on a phone the page of one says why it is not shown', async () => {
  open(`${PATIENT}/case-management/${UUID}`, { width: 390 });
  expect(await screen.findByText('Discharge summaries are not shown on a phone or in a narrow window')).toBeTruthy();
  expect(screen.queryByRole('article')).toBeNull();
});
