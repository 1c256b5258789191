import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { patientWith } from '../testing/patients.ts';
import { SimilarPatients } from './similar-patients.tsx';

afterEach(cleanup);

test.each([
  ['1941-03-15', 'Another patient has a similar name and birth date'],
  ['1970-08-01', 'Another patient has a similar name'],
  [null, 'Another patient has a similar name'],
])('with a similarly named patient born %s, the banner says: %s', (dateOfBirth, title) => {
  const similarPatients = [
    { id: '9_0', name: 'OKONKWO, Adaeza', dateOfBirth, memberId: 'M7', groupType: 'SNF' as const },
  ];
  const patient = patientWith({ dateOfBirth: '1941-03-14', similarPatients });
  render(
    <MantineProvider>
      <SimilarPatients patient={patient} now={new Date('2026-11-21T16:00:00Z')} />
    </MantineProvider>,
  );
  expect(screen.getByText(title)).toBeTruthy();
});
