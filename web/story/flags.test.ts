import { expect, test } from 'vitest';
import type { PatientDetails } from '#contract/patient-details.ts';
import { flagsOf } from './flags.ts';

const nothing = {
  huFlag: null,
  risingRiskInfo: null,
  covid19Info: null,
  careGaps: [],
  advanceCareDocuments: [],
  currentlyBillingAgencies: [],
  emergencyRoomVisitCount: 0,
  emergencyRoomCount: 0,
} as unknown as PatientDetails;

test('each flag says why', () => {
  expect(flagsOf(nothing)).toEqual([]);
  expect(
    flagsOf({
      ...nothing,
      huFlag: 'VALID',
      emergencyRoomVisitCount: 5,
      emergencyRoomCount: 1,
      risingRiskInfo: {
        hasReadmission: true,
        emergencyVisits: 1,
        inpatientStays: 2,
        multiVisitFlag: false,
        risingRiskFlag: true,
        unplannedVisits: { days: 60, recent: 3, usual: 0.59, last180Days: 5 },
      },
      covid19Info: { flag: false, expired: true, mostRecentDate: '2026-03-04', startDate: '2026-02-01' },
      careGaps: ['Colorectal screening'],
    }),
  ).toEqual([
    ['High ED use', '5 ED visits in 12 months, at 1 emergency department'],
    ['Rising risk', '3 unplanned acute visits in 60 days, usually 0.6'],
    ['Readmission', 'Readmitted within the last 60 days'],
    ['COVID-19, expired', 'First mentioned 02/01/2026, last 03/04/2026'],
    ['Open care gaps', 'Colorectal screening'],
  ]);
});

test('a multi-visit patient’s visits are those of the rule', () => {
  const risk = {
    hasReadmission: false,
    emergencyVisits: 5,
    inpatientStays: 3,
    multiVisitFlag: true,
    risingRiskFlag: false,
  };
  const unplannedVisits = { days: 60, recent: 0, usual: 1, last180Days: 6 };
  expect(flagsOf({ ...nothing, risingRiskInfo: { ...risk, unplannedVisits } })).toEqual([
    ['Multi-visit patient', '6 unplanned acute visits in 180 days'],
  ]);
});
