import { useQuery } from '@tanstack/react-query';
import { useInboxOwners } from './use-inbox-owners.ts';
import { colleaguesQuery } from './work-queries.ts';

/** Returns the name of a colleague whose id is in the URL: from the team's first names, or from the rows that they have. */
export const useColleagueName = (id: string | undefined): string => {
  const isColleague = id !== undefined && /^\d+$/.test(id);
  const { data } = useQuery({ ...colleaguesQuery(''), enabled: isColleague });
  const owners = useInboxOwners();
  return data?.find((one) => one.id === id)?.name ?? (id && owners.get(id)) ?? 'A colleague';
};
