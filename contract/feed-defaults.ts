/** The settings of a feed that sets none of its own. The browser loads this module, so it must not import zod. */
import type { ClassRule, FeedSettings } from './feed-settings.ts';

const observationBeds: ClassRule[] = ['O', 'I'].flatMap((patientClass) => [
  { patientClass, patientType: 'OBS', setting: 'OBSERVATION' as const },
  { patientClass, hospitalService: 'OBS', setting: 'OBSERVATION' as const },
]);

function settingOf(setting: ClassRule['setting'], ...classes: string[]): ClassRule[] {
  return classes.map((patientClass) => ({ patientClass, setting }));
}

/**
 * The class map holds HL7 table 0004 and what senders write instead. Observation has no standard code. A pre-admit (P) has no
 * setting yet; commercial (C), not applicable (N) and unknown (U) don't name one.
 */
export const DEFAULT_FEED_SETTINGS: FeedSettings = {
  timeZone: 'America/New_York',
  dateOrder: null,
  classMap: [
    ...observationBeds,
    ...settingOf('OBSERVATION', 'OBS', 'OBV', 'V', 'OBSERVATION'),
    ...settingOf('EMERGENCY', 'E', 'ER', 'ED', 'EMERGENCY'),
    ...settingOf('INPATIENT', 'I', 'IP', 'INPATIENT', 'B'),
    ...settingOf('OUTPATIENT', 'O', 'OP', 'OUTPATIENT', 'R'),
    ...settingOf('UNKNOWN', 'P', 'C', 'N', 'U'),
  ],
  observationCodes: { patientTypes: [], hospitalServices: [] },
  dispositionMap: {
    HOME: '01',
    'HOME OR SELF CARE': '01',
    HOSPITAL: '02',
    SNF: '03',
    'SKILLED NURSING FACILITY': '03',
    ICF: '04',
    HHA: '06',
    'HOME HEALTH': '06',
    AMA: '07',
    'LEFT AMA': '07',
    EXP: '20',
    EXPIRED: '20',
    DECEASED: '20',
    DIED: '20',
    JAIL: '21',
    'HOSPICE HOME': '50',
    'HOSPICE FACILITY': '51',
    'SWING BED': '61',
    REHAB: '62',
    IRF: '62',
    LTAC: '63',
    LTACH: '63',
    LTCH: '63',
    PSYCH: '65',
    CAH: '66',
  },
  locationMap: {},
  recordNumber: { authority: null, types: ['MR', 'MRN', 'PI', 'PT'] },
  testProcessingIds: ['T', 'D'],
};
