import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { UserChange } from '#contract/user-changes.ts';
import { call } from '../../api/call.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';

/** Chosen where the stays are given to no one. */
const NO_ONE = 'none';

/** State of the question who takes over what these users have taken, before their accounts are disabled. */
export const useTakenStays = (userIds: readonly string[]) => {
  // The selection shrinks as accounts are changed; the question stays the one that was asked.
  const [ids] = useState([...userIds]);
  const query = useQuery({
    queryKey: ['taken-stays', ids],
    queryFn: () => call('POST /api/admin/users/stays', { body: { ids } }),
    staleTime: 0,
    gcTime: 0,
  });
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const stays = (query.data ?? []).map(({ team: { id } }) => ({
    teamId: id,
    toUserId: chosen[id] === NO_ONE ? null : (chosen[id] ?? null),
  }));
  const change: UserChange = { kind: 'DISABLE', ...(stays.length > 0 && { stays }) };
  return {
    query,
    chosen,
    choose: (teamId: string, value: string): void => setChosen({ ...chosen, [teamId]: value }),
    change,
    isComplete: query.data?.every(({ team }) => chosen[team.id]) ?? false,
  };
};

export type TakenStaysQuestion = ReturnType<typeof useTakenStays>;

/** Asks for each team who takes over; nothing where nothing was taken. */
export const TakenStaysFields = ({ question: { query, chosen, choose } }: { question: TakenStaysQuestion }) => (
  <Loaded query={query} what="stays that they have taken">
    {(taken) =>
      taken.map(({ team, stays, open, colleagues }) => (
        <ChoiceField
          key={team.id}
          mt="sm"
          label={`Who takes over on ${team.name}?`}
          description={`${counted(stays, 'stay', 'stays')} taken, ${open.toLocaleString('en-US')} with open pings.`}
          value={chosen[team.id] ?? ''}
          onChange={({ currentTarget: { value } }) => choose(team.id, value)}
          data={[
            { value: '', label: 'Choose…' },
            { value: NO_ONE, label: 'Leave unassigned' },
            ...colleagues.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      ))
    }
  </Loaded>
);
