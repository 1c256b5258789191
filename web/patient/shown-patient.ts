import { createContext } from 'react';
import type { Patient } from '#contract/patients.ts';
import { familyFirst } from '../ui/format/name.ts';
import { bornOf } from './phrases.ts';

/** Whom the page is about: a form that covers the banner says it too. Null on pages about several patients. */
export const ShownPatient = createContext<Patient | null>(null);

/** Returns the patient's name and birth date. */
export const inWords = (patient: Patient, now: Date): string =>
  `${familyFirst(patient)} · Born ${bornOf(patient, now)}`;
