import type { FacilityType, GroupType } from '#contract/groups.ts';
import type { Random } from '#demo/world/random.ts';

export type FacilityKind = 'EMERGENCY_ONLY' | 'ACUTE' | 'LTAC' | 'REHAB' | 'SNF';

export const GROUP_OF: Readonly<Record<FacilityKind, { type: GroupType; facilityType: FacilityType }>> = {
  EMERGENCY_ONLY: { type: 'HOS', facilityType: 'HOS' },
  ACUTE: { type: 'HOS', facilityType: 'HOS' },
  LTAC: { type: 'ADMITTING', facilityType: 'LTAC' },
  REHAB: { type: 'ADMITTING', facilityType: 'REHAB_HOS' },
  SNF: { type: 'SNF', facilityType: 'SNF' },
};

export interface Facility {
  /** The identifier in the feed's facility list. */
  code: string;
  kind: FacilityKind;
  /** PID-3.4 as this facility writes it; '' for none. */
  authority: string;
  /** Facilities with the same one number their patients together: the same record number is the same patient. */
  recordScope: string;
  /** Facilities with the same one count their visits together. Otherwise the same visit number can be two visits. */
  visitScope: string;
}

/** How the one sender of a system writes its messages. */
export interface Sender {
  /** The field that identifies a visit; 'none' if only PV1-44 does. */
  visitKey: 'PV1-19' | 'PID-18' | 'none';
  /** Whether MSH-4 names the facility. Otherwise PV1-3.4 and EVN-7 do, and MSH-4 is the system. */
  facilityInHeader: boolean;
  /** Whether EVN-6 says when the event happened. */
  sendsOccurred: boolean;
  /** Whether PV1-44 is still the admission at the first facility after a transfer. */
  keepsAdmission: boolean;
}

export interface HealthSystem {
  /** MSH-3, unique. */
  name: string;
  facilities: readonly Facility[];
  sender: Sender;
}

const SPELLINGS: readonly ((authority: string) => string)[] = [
  (authority) => authority,
  (authority) => authority.toLowerCase(),
  (authority) => `${authority} `,
];

/** Returns a feed's facilities and the habits of its sender. */
export function makeSystem(name: string, random: Random): HealthSystem {
  const kinds: FacilityKind[] = ['ACUTE'];
  const more = random.int(0, 3);
  for (let n = 0; n < more; n += 1) {
    kinds.push(
      random.weighted<FacilityKind>([
        ['ACUTE', 4],
        ['EMERGENCY_ONLY', 3],
        ['SNF', 2],
        ['LTAC', 1],
        ['REHAB', 1],
      ]),
    );
  }
  const codes = kinds.map((_, index) => `HOS${'ABCD'[index]}`);
  const numbering = random.weighted([
    ['shared', 5],
    ['one apart', 2],
    ['own authorities', 2],
    ['no authority', 1],
  ]);
  const oneSpelling = random.chance(0.6);
  const oneVisitCount = random.chance(0.6);
  const facilities = kinds.map((kind, index): Facility => {
    const code = codes[index] as string;
    const isShared = numbering === 'shared' || (numbering === 'one apart' && index < kinds.length - 1);
    const spelling = oneSpelling ? SPELLINGS[0] : random.pick(SPELLINGS);
    const own = numbering === 'no authority' || (numbering === 'one apart' && random.chance(0.5)) ? '' : code;
    return {
      code,
      kind,
      authority: isShared ? (spelling?.('ELM') ?? '') : own,
      recordScope: isShared ? 'system' : code,
      visitScope: isShared || oneVisitCount ? 'system' : code,
    };
  });
  return {
    name,
    facilities,
    sender: {
      visitKey: random.weighted<Sender['visitKey']>([
        ['PV1-19', 5],
        ['PID-18', 3],
        ['none', 2],
      ]),
      facilityInHeader: random.chance(0.5),
      sendsOccurred: random.chance(0.5),
      keepsAdmission: random.chance(0.5),
    },
  };
}
