import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_RISING_RISK_RULE, type RiskExplanation } from '#contract/rising-risk.ts';
import { openApp, serve, setWidth, somebody } from '../testing/app.tsx';
import { liveStream } from '../testing/live-stream.ts';
import { patientWith } from '../testing/patients.ts';

const PATH = '/dashboard/rising-risk';
const visit = (encounterId: string, arrivedAt: string, over: object = {}) => ({
  encounterId,
  setting: 'EMERGENCY' as const,
  facilityName: 'Mercy General',
  isPart2: false,
  arrivedAt,
  ...over,
});
const RISK: RiskExplanation = {
  reasons: [
    {
      reason: 'RISING',
      visits: [
        visit('9', '2026-11-19', { setting: 'INPATIENT', isPart2: true }),
        visit('8', '2026-11-02'),
        visit('7', '2026-10-20'),
        visit('6', '2026-10-08'),
      ],
    },
  ],
  recent: 4,
  usual: 0.39,
  trend: [0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 2, 4],
  since: new Date().toISOString(),
};
const ADA = patientWith({ risk: RISK });

liveStream();
beforeEach(() => {
  HTMLElement.prototype.hidePopover = () => {};
});

const open = (permissions = ['canViewPatients', 'canViewRiskingRisk'], path = PATH) => {
  setWidth(1440);
  const called = serve({
    'GET /api/me': [200, somebody({}, { permissions })],
    'GET /api/patients/count': [200, { count: 1204 }],
    'GET /api/patient-search-params': [200, []],
    'GET /api/patient-search-params/preferences': [200, []],
    'POST /api/patients/search': [200, { patients: [ADA], total: 1, numPages: 1, facets: {} }],
    'POST /api/patients/similar-names': [200, { patientIds: [] }],
    'GET /api/rising-risk/rule': [200, { rule: { ...DEFAULT_RISING_RISK_RULE, days: 45 }, isDefault: false }],
  });
  return { router: openApp(path), of: (route: string) => called.filter((one) => one.route === route) };
};

test('the page lists those on the list, with why, the newest visits and the trend', async () => {
  const { of } = open();
  const row = (await screen.findByRole('link', { name: /Okonkwo-Reyes/i })).closest('tr') as HTMLElement;
  expect(of('POST /api/patients/search')[0]?.body).toMatchObject({
    pageSize: 20,
    userDefinedFacetPreferences: {
      preferenceMap: { riskList: [{ value: 'RISING' }, { value: 'MULTI_VISIT' }, { value: 'READMISSION' }] },
    },
  });
  expect(row.textContent).toContain('Rising risk');
  expect(row.textContent).toContain('New');
  expect(row.textContent).toContain('11/19/2026 Inpatient, Mercy General');
  expect(row.textContent).not.toContain('10/08/2026');
  expect(row.textContent).toContain('42 CFR part 2');
  await waitFor(() => expect(row.textContent).toContain('4 in 45 days, usually 0.4'));
  expect(row.textContent).toContain('up from 1');
});

test('"Why?" shows the rule, all counted visits and the past year', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: /^Why is .* on the list/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Why on the list?' });
  expect(dialog.textContent).toMatch(/ · Born \d\d\/\d\d\/\d{4} \(\d+y\)/);
  expect(dialog.textContent).toContain('At least 2 unplanned acute visits in 45 days');
  const visits = within(dialog).getByRole('table', { name: 'Visits counted: Rising risk' });
  expect(within(visits).getAllByRole('row')).toHaveLength(5);
  expect(within(within(dialog).getByRole('table', { name: 'Past year' })).getAllByRole('row')).toHaveLength(13);
});

test('the page says by which rule it lists, and needs canViewRiskingRisk', async () => {
  open();
  await userEvent.click(await screen.findByText('How this list works'));
  expect(screen.getByText(/These are your organization's own numbers/)).toBeTruthy();
  document.body.replaceChildren();
  open(['canViewPatients']);
  expect(await screen.findByRole('heading', { name: "You don't have access to this page" })).toBeTruthy();
});
