import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { Patient } from '#contract/patients.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { announce } from '../ui/announcer.tsx';
import { loadAll } from './change-many.ts';
import { putPatient } from './inbox-queries.ts';
import type { Inbox } from './use-inbox.ts';

/** Returns which rows a change is about: stays, and the people whose stays they are. */
export const about = (patients: readonly Patient[]): string => {
  const people = new Set(patients.map(({ id }) => id.slice(0, id.indexOf('_'))));
  return `${counted(patients.length, 'stay', 'stays')} of ${counted(people.size, 'patient', 'patients')}`;
};

export type Selection = ReturnType<typeof useSelection>;

/** The stays that are selected, of this page and of others, and what selects more of them. */
export const useSelection = ({ rows, picked, pick, list, live }: Inbox) => {
  const client = useQueryClient();
  const latest = useRef(picked);
  useEffect(() => {
    latest.current = picked;
  });
  const [loaded, setLoaded] = useState<ReadonlyMap<string, Patient>>(new Map());
  const shown = new Map(rows.map((row) => [row.id, row]));
  const all = useMutation({
    mutationFn: () => loadAll(list.parameters),
    onSuccess: (matching) => {
      // What waits behind the bar above the list has been seen by nobody here.
      const found = matching.filter(({ id }) => !live.isWaiting(id));
      setLoaded(new Map(found.map((patient) => [patient.id, patient])));
      pick(found.map((patient) => shown.get(patient.id) ?? patient));
      announce(`${about(found)} selected.`);
    },
  });
  /** Selects rows as they are now, as far as they are still selected. */
  const renewPicks = (current: readonly Patient[]): void => {
    const newer = new Map(current.map((patient) => [patient.id, patient]));
    pick(Array.from(latest.current.values(), (row) => newer.get(row.id) ?? row));
  };
  /** Loads rows again that were refused: someone has changed them, and as they were they would be refused each time. */
  const renew = async (patients: readonly Patient[]): Promise<void> => {
    const current = await Promise.all(
      patients.map((patient) => client.fetchQuery({ ...patientQuery(patient.id), staleTime: 0 }).catch(() => patient)),
    );
    setLoaded((before) => new Map([...before, ...current.map((patient) => [patient.id, patient] as const)]));
    for (const patient of current) putPatient(client, patient);
    renewPicks(current);
  };
  const stays = [...picked].flatMap(([id, seen]) => {
    const now = shown.get(id) ?? loaded.get(id);
    // What has left the list is no longer selected.
    return now ? [{ seen, now }] : [];
  });
  return { stays, all, renew, renewPicks };
};
