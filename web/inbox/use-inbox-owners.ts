import { useQueryClient } from '@tanstack/react-query';
import type { PatientResults } from '#contract/patients.ts';

/** Returns the names of those who have taken stays of the lists that are loaded, by user id. */
export const useInboxOwners = (): ReadonlyMap<string, string> => {
  const pages = useQueryClient().getQueriesData<PatientResults>({ queryKey: ['pings'] });
  const owners = pages.flatMap(([, page]) => page?.patients.flatMap(({ card }) => card?.work.owner ?? []) ?? []);
  return new Map(owners.map(({ id, name }) => [id, name]));
};
