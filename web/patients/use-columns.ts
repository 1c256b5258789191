import { useState } from 'react';
import { savePreferences } from '../session/preferences.ts';
import { useSession } from '../session/session.ts';
import { showToast } from '../ui/toasts.tsx';
import { COLUMNS, type Column, type ColumnKey } from './columns.tsx';

const KEYS = Object.keys(COLUMNS) as ColumnKey[];

/** The columns that a list offers, in this order, and those that it shows until the user chooses. */
export interface ColumnSet {
  /** The preference that stores the choice. */
  preference: 'patientColumns' | 'stayColumns' | 'riskColumns';
  offered: readonly ColumnKey[];
  initial: readonly ColumnKey[];
  /** Columns that only this list has, before the others; always shown. */
  own?: readonly Column[];
}
export const PATIENT_COLUMNS: ColumnSet = {
  preference: 'patientColumns',
  offered: KEYS.filter((key) => key !== 'expected' && key !== 'variance'),
  initial: ['status', 'facility', 'stay', 'program', 'provider'],
};
/** Patients of a hospital are in no program. */
export const HOSPITAL_COLUMNS: ColumnSet = {
  ...PATIENT_COLUMNS,
  initial: ['status', 'facility', 'stay', 'managing', 'diagnosis'],
};
const INITIAL_STAY_COLUMNS: ColumnKey[] = ['facility', 'admitted', 'stay', 'expected', 'variance'];
export const STAY_COLUMNS: ColumnSet = {
  preference: 'stayColumns',
  offered: [...new Set([...INITIAL_STAY_COLUMNS, ...KEYS])],
  initial: INITIAL_STAY_COLUMNS,
};

const INITIAL_RISK_COLUMNS: ColumnKey[] = ['status', 'lately', 'program'];
export const RISK_COLUMNS: ColumnSet = {
  preference: 'riskColumns',
  offered: [...new Set([...INITIAL_RISK_COLUMNS, ...PATIENT_COLUMNS.offered])],
  initial: INITIAL_RISK_COLUMNS,
};

/** The columns of a list that the user has chosen, stored with the user's preferences, as far as permissions allow. */
export const useColumns = ({ preference, offered: all, initial, own = [] }: ColumnSet) => {
  const { can, preferences } = useSession();
  const [chosen, setChosen] = useState<readonly ColumnKey[] | null>(null);
  const offered = all.filter((key) => {
    const { permission }: Column = COLUMNS[key];
    return !permission || can(permission);
  });
  const kept: readonly string[] = chosen ?? preferences[preference] ?? initial;
  const keys = offered.filter((key) => kept.includes(key));
  const set = (next: readonly ColumnKey[]): void => {
    setChosen(next);
    savePreferences({ [preference]: [...next] }).catch(() =>
      showToast({
        type: 'warning',
        message: "Couldn't save your columns. They reset when you leave this page.",
      }),
    );
  };
  return {
    offered,
    keys,
    columns: [...own, ...keys.map((key): Column => COLUMNS[key])],
    toggle: (key: ColumnKey): void =>
      set(all.filter((one) => (one === key ? !kept.includes(key) : kept.includes(one)))),
    reset: (): void => set(initial),
  };
};
