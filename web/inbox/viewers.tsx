import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { TEAM_HEADER } from '#contract/constants.ts';
import { VIEWING_EVERY } from '#contract/worklist-words.ts';
import { inBackground } from '../api/background.ts';
import { call, teamHeaders } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { useSession } from '../session/session.ts';

/** Returns "R. Diaz is viewing this patient", or with several names who they are. */
const inWords = (names: readonly string[]): string =>
  `${new Intl.ListFormat('en-US').format(names)} ${names.length === 1 ? 'is' : 'are'} viewing this patient now.`;

/** Says who else on the team has the patient open, and tells them about this user. Asks only while the page is visible. */
export const Viewers = ({ patientId }: { patientId: string }) => {
  const { team } = useSession();
  const client = useQueryClient();
  const params = { id: patientId };
  const { data } = useQuery({
    queryKey: ['viewers', patientId],
    queryFn: () => inBackground(() => call('POST /api/patients/:id/viewing', { params })),
    refetchInterval: VIEWING_EVERY,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  useLiveEvents(({ kind, data: event }) => {
    if (kind === 'viewers' && patientId.startsWith(`${event.rosterPatientId}_`))
      void client.invalidateQueries({ queryKey: ['viewers', patientId] });
  });
  useEffect(
    () => () => {
      // After a switch of teams the calls are the new team's; the old one's entry expires.
      if (teamHeaders()[TEAM_HEADER] !== team.id) return;
      inBackground(() => call('DELETE /api/patients/:id/viewing', { params: { id: patientId } })).catch(() => {});
    },
    [patientId, team.id],
  );
  return (
    <div role="status">
      {data && data.length > 0 && (
        <Text size="sm" px="md" py={4} bg="var(--mantine-color-marine-light)">
          {inWords(data)}
        </Text>
      )}
    </div>
  );
};
