import { Anchor, Group } from '@mantine/core';
import type { Ping } from '#contract/pings.ts';
import { useNavigate } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { useCommands } from '../ui/commands.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { plainEventPhrase } from './phrases.ts';

/**
 * Links to why there is a ping and, about a discharge, to the evidence. `hasKey`: W opens the first of them; links without the key stand in a
 * list and name their event.
 */
export const PingLinks = ({ patientId, ping, hasKey }: { patientId: string; ping: Ping; hasKey: boolean }) => {
  const { user, can } = useSession();
  const navigate = useNavigate();
  const path = `${patientPath(user, patientId)}/events/${ping.eventIdentifier}`;
  useCommands({ 'ping.why': hasKey ? () => void navigate({ to: path }) : null });
  if (!can('canViewPings')) return null;
  const about = hasKey ? '' : `, ${plainEventPhrase(ping)} ${formatDateTime(ping.eventDate, ping.facility.timeZone)}`;
  return (
    <Group gap="md" data-no-print>
      <Anchor component={Link} data-target to={path} size="sm" aria-label={`Why this ping?${about}`}>
        Why this ping?
      </Anchor>
      {ping.status === 'DISCHARGE' && ping.reason?.code !== 'UNMATCHED' && (
        <Anchor component={Link} data-target to={`${path}/evidence`} size="sm" aria-label={`Evidence packet${about}`}>
          Evidence packet
        </Anchor>
      )}
    </Group>
  );
};
