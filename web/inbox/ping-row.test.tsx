import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { PART2_NOTICE } from '../patient/part2-notice.ts';
import { patientWith, pingWith } from '../testing/patients.ts';
import { PingRow } from './ping-row.tsx';

const NOW = new Date('2026-11-21T16:00:00Z');
const show = (overrides: Parameters<typeof patientWith>[0] = {}, open = vi.fn(), similar = false) => {
  render(
    <MantineProvider env="test">
      <ul>
        <PingRow
          patient={patientWith(overrides)}
          now={NOW}
          href="?sel=1_2"
          selected={false}
          tabbable
          justArrived={false}
          updatedAt={undefined}
          unsaved={false}
          similar={similar}
          work={null}
          picked={null}
          pick={vi.fn()}
          open={open}
        />
      </ul>
    </MantineProvider>,
  );
  return open;
};
afterEach(cleanup);

test('a row says who, what, where, why, and the status', () => {
  show();
  const row = screen.getByRole('link');
  expect(row.textContent).toContain('OKONKWO-REYES, Adaeze');
  expect(row.textContent).toContain('03/14/1941 (85y)');
  expect(row.textContent).toContain('Admitted — Inpatient');
  expect(row.textContent).toContain('Mercy General Hospital');
  expect(row.textContent).toContain('Readmitted 12 days after discharge on 11/08/2026');
  expect(row.textContent).toContain('Unresolved');
  expect(row.getAttribute('aria-label')).toMatch(
    /^Okonkwo-Reyes, Adaeze, born March 14, 1941\. Admitted — Inpatient\. Mercy General Hospital\..* Status Unresolved\.$/,
  );
});

test('a retracted event is struck through and labeled in words', () => {
  show({ currentPing: pingWith({ state: 'CANCELLED' }) });
  expect(screen.getByText('Admitted — Inpatient').tagName).toBe('S');
  expect(screen.getByRole('link').textContent).toContain('Canceled');
});

test('an event received six hours later says so, and one reported late is marked Late', () => {
  show({ currentPing: pingWith({ entryDelay: 360, late: true }) });
  expect(screen.getByRole('link').textContent).toContain('received 6 hours later');
  expect(screen.getByText('Late')).toBeTruthy();
  cleanup();
  show({ currentPing: pingWith({ datedByReceipt: true }) });
  expect(screen.getByRole('link').textContent).toContain('when the message arrived');
});

test('a missing birth date is stated, not left blank', () => {
  show({ dateOfBirth: null });
  expect(screen.getByRole('link').textContent).toContain('Birth date not recorded');
});

test('a click opens the patient without leaving the page', async () => {
  const open = show();
  await userEvent.click(screen.getByRole('link'));
  expect(open).toHaveBeenCalledExactlyOnceWith('1_2');
});

test('a row warns of a similar name, visibly and for screen readers', () => {
  show({}, vi.fn(), true);
  const row = screen.getByRole('link');
  expect(row.textContent).toContain('OKONKWO-REYES, Adaeze Similar name');
  expect(row.getAttribute('aria-label')).toContain('Similar name.');
});

test('a row of a patient who has died says so once: beside the name, or as the reason', () => {
  const contradiction = 'Contradicts the death reported for 11/18/2026. Check with the facility';
  show({
    deceased: true,
    isDeathInDoubt: true,
    currentPing: pingWith({ reason: { code: 'AFTER_DEATH', label: contradiction, severity: 'critical' } }),
  });
  const row = screen.getByRole('link');
  expect(screen.getByText('Death reported')).toBeTruthy();
  expect(row.textContent).toContain(contradiction);
  expect(row.getAttribute('aria-label')).toContain(' Death reported.');
  cleanup();
  show({
    deceased: true,
    currentPing: pingWith({ reason: { code: 'DECEASED', label: 'Patient died', severity: 'critical' } }),
  });
  expect(screen.getByText('Patient died')).toBeTruthy();
  expect(screen.queryByText('Died')).toBeNull();
});

test.each([
  [{ deceasedDate: '2026-11-18T06:00:00Z' }, '11/20/1942 (83y at death)'],
  [{ deceasedDate: '2026-11-18', isDeceasedDateReported: true }, '11/20/1942'],
  [{ deceasedDate: '2026-11-18', isDeathInDoubt: true }, '11/20/1942'],
  [{ deceasedDate: null }, '11/20/1942'],
])('a row of a patient who has died has the age at death, not of today (%j)', (death, shown) => {
  show({ dateOfBirth: '1942-11-20', deceased: true, ...death });
  expect(screen.getByText(/^11\/20\/1942/).textContent).toBe(shown);
});

test('a row of a 42 CFR Part 2 facility carries the notice, also where it is read aloud', () => {
  show({ currentPing: pingWith({ facility: { ...pingWith().facility, isPart2Facility: true } }) });
  const row = screen.getByRole('link');
  expect(row.textContent).toContain(PART2_NOTICE);
  expect(row.getAttribute('aria-label')).toContain(PART2_NOTICE);
  cleanup();
  show();
  expect(screen.getByRole('link').textContent).not.toContain('42 CFR');
  cleanup();
  // The reason of a visit elsewhere follows from a stay there.
  show({ hasPart2Records: true });
  expect(screen.getByRole('link').getAttribute('aria-label')).toContain(PART2_NOTICE);
});
