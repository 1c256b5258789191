import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type InboxListCode, isOpenList, listsStatus } from '#contract/inbox-lists.ts';
import { isOpen, type ManagementStatus } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { rowStatus } from './card.ts';

interface Options {
  sel: string | undefined;
  code: InboxListCode;
  /** The rows of the list; null until they are loaded. */
  rows: readonly Patient[] | null;
  /** What the list shows, to notice another list. */
  list: string;
  /** Opens the list of a status, with the same row open. */
  openList: (status: ManagementStatus) => void;
  focus: (id: string) => void;
}

/**
 * Lands on the row that an address names, when it comes from elsewhere: a toast, a mail, the palette. Opens the list that has the row, and
 * focuses it. A row on another page of the list is put before the others. Returns that row, and `chosen`, which is told of rows that are
 * chosen in the list itself.
 */
export const useLanding = ({ sel, code, rows, list, openList, focus }: Options) => {
  const client = useQueryClient();
  const here = useRef<string | undefined>(undefined);
  const [landed, land] = useState<{ id: string; list: string } | null>(null);
  const shown = landed?.list === list ? landed.id : null;
  const { data: patient } = useQuery({ ...patientQuery(shown ?? ''), enabled: shown !== null, retry: false });
  const isLoaded = rows !== null;
  useEffect(() => {
    if (!sel || !rows || here.current === sel) return;
    const listed = rows.find(({ id }) => id === sel);
    const status = listed && rowStatus(listed);
    // A row that was changed in the list stays there until the list is asked for again.
    if (listed && (!status || listsStatus(code, status))) {
      here.current = sel;
      focus(sel);
      return;
    }
    let isLatest = true;
    client.ensureQueryData(patientQuery(sel)).then(
      (found) => {
        const of = rowStatus(found);
        if (!isLatest || !of) return;
        // What is in progress needs action only while something is due; its own list has it for certain.
        if (!listsStatus(code, of) || (code === 'NEEDS_ACTION' && of === 'IN_PROGRESS')) return openList(of);
        here.current = sel;
        land({ id: sel, list });
      },
      () => {}, // The detail says why.
    );
    return () => {
      isLatest = false;
    };
    // Whenever another row is named, or another list has loaded; not for every change of the rows.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [sel, isLoaded, list]);
  const closing = patient && rowStatus(patient);
  const isListed = closing !== undefined && isOpen(closing) === isOpenList(code);
  const before = patient && isListed && !rows?.some(({ id }) => id === patient.id) ? patient : null;
  const beforeId = before?.id;
  useEffect(() => {
    if (beforeId) focus(beforeId);
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [beforeId]);
  return {
    before,
    chosen: (id: string | undefined): void => {
      here.current = id;
    },
  };
};
