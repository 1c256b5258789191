import { expect, test } from 'vitest';
import type { EventCode } from '#contract/event-codes.ts';
import type { AdtParts } from '#server/testing/hospital.ts';
import { pipelineScene, type RegionOptions } from '#server/testing/pipeline-scene.ts';

const { hosp, region } = await pipelineScene();

const byMessage: [
  code: EventCode,
  how: string,
  region: RegionOptions,
  messages: [string, string, Partial<AdtParts>?][],
][] = [
  ['ADMIT', 'an A01 of an inpatient', {}, [['A01', '202611200900']]],
  ['PRESENTED', 'an A04 in the emergency department', {}, [['A04', '202611200900', { patientClass: 'E' }]]],
  [
    'VISIT',
    'an A04 of an outpatient where registrations are visits',
    { registrationIsVisit: true },
    [['A04', '202611200900', { patientClass: 'O' }]],
  ],
  [
    'DISCHARGE',
    'an A03',
    {},
    [
      ['A01', '202611200900'],
      ['A03', '202611200930', { discharged: '202611200930' }],
    ],
  ],
  [
    'DECEASED',
    'an A03 with disposition 20',
    {},
    [
      ['A01', '202611200900'],
      ['A03', '202611200930', { discharged: '202611200930', disposition: '20' }],
    ],
  ],
  [
    'TRANSFER',
    'an A02 to another unit',
    {},
    [
      ['A01', '202611200900'],
      ['A02', '202611200930', { unit: 'ICU' }],
    ],
  ],
  [
    'PAYOR_CHANGE',
    'an A08 with another payer',
    {},
    [
      ['A01', '202611200900', { payer: 'Harbor Health' }],
      ['A08', '202611200930', { payer: 'Lantern Mutual' }],
    ],
  ],
  [
    'MEDICAL_LEAVE_OF_ABSENCE',
    'an A21 from a nursing facility',
    { type: 'SNF', facilityType: 'SNF' },
    [
      ['A01', '202611200900'],
      ['A21', '202611200930'],
    ],
  ],
  [
    'RESUMED_SERVICES',
    'an A22 from a nursing facility',
    { type: 'SNF', facilityType: 'SNF' },
    [
      ['A01', '202611200900'],
      ['A21', '202611200930'],
      ['A22', '202611200945'],
    ],
  ],
  [
    'STARTED_HHA_SERVICES',
    'an A01 from a home health agency',
    { type: 'ADMITTING', facilityType: 'HHA' },
    [['A01', '202611200900']],
  ],
  [
    'ENDED_HHA_SERVICES',
    'an A03 from a home health agency',
    { type: 'ADMITTING', facilityType: 'HHA' },
    [
      ['A01', '202611200900'],
      ['A03', '202611200930', { discharged: '202611200930' }],
    ],
  ],
];

for (const [code, how, where, messages] of byMessage) {
  test(`${code} follows from ${how}`, async () => {
    const { program, message } = await region(where);
    await hosp.send(...messages.map(([trigger, at, more]) => message(trigger, at, more)));
    expect((await hosp.pings(program)).at(-1)).toBe(`${code} ACTIVE current`);
  });
}

const SNF = { type: 'SNF', facilityType: 'SNF' } as const;
const HHA = { type: 'ADMITTING', facilityType: 'HHA' } as const;
const byHand: [code: EventCode, where: RegionOptions, before: EventCode[]][] = [
  ['ADMIT', SNF, []],
  ['PRESENTED', {}, []],
  ['VISIT', {}, []],
  ['DISCHARGE', SNF, ['ADMIT']],
  ['DECEASED', SNF, ['ADMIT']],
  ['TRANSFER', SNF, ['ADMIT']],
  ['CLOSED', {}, ['PRESENTED']],
  ['PAYOR_CHANGE', SNF, ['ADMIT']],
  ['MEDICAL_LEAVE_OF_ABSENCE', SNF, ['ADMIT']],
  ['RESUMED_SERVICES', SNF, ['ADMIT', 'MEDICAL_LEAVE_OF_ABSENCE']],
  ['ENDED_SERVICES', SNF, ['ADMIT']],
  ['STARTED_HHA_SERVICES', HHA, []],
  ['ENDED_HHA_SERVICES', HHA, ['STARTED_HHA_SERVICES']],
];

for (const [code, where, before] of byHand) {
  test(`${code} follows from a manual entry`, async () => {
    const { facility, program, person } = await region(where);
    for (const [hour, each] of [...before, code].entries()) {
      await hosp.enter(facility, {
        code: each,
        record: 'H-1',
        visit: 'HV-1',
        person,
        at: `2026-11-20T1${hour}:00:00Z`,
      });
    }
    expect((await hosp.pings(program)).at(-1)).toBe(`${code} ACTIVE current`);
  });
}
