import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SsoConnection } from '#contract/admin.ts';
import { Loaded } from '../forms/loaded.tsx';
import { CardTable } from '../ui/card-table.tsx';
import { Empty } from '../ui/states.tsx';
import { AdminPage, useEditing } from './admin-page.tsx';
import { connectionsQuery } from './admin-queries.ts';
import { ConnectionDrawer, KIND_LABELS } from './connection-drawer.tsx';
import { Opener } from './opener.tsx';
import type { SsoKind } from './use-connection-form.ts';

const KINDS = Object.keys(KIND_LABELS) as SsoKind[];
const SHORT: Record<SsoKind, string> = { OIDC: 'OpenID Connect', SAML: 'SAML 2.0', SMART: 'SMART App Launch' };

/** Connections to identity providers and EHRs. */
export const ConnectionsPage = () => {
  const client = useQueryClient();
  const editing = useEditing<{ kind: SsoKind; connection: SsoConnection | null }>();
  const connections = useQuery(connectionsQuery);
  const { open } = editing;
  const renew = (): void => void client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  return (
    <AdminPage
      title="Single sign-on"
      lead="Let users sign in where their organisation keeps their accounts, or launch from an EHR."
      message={editing.message}
      close={() => editing.say(null)}
      action={
        <Group gap="sm" role="group" aria-label="Add a connection">
          {KINDS.map((kind) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              disabled={!connections.data}
              onClick={() => editing.edit({ kind, connection: null })}
            >
              Add {SHORT[kind]}
            </Button>
          ))}
        </Group>
      }
    >
      <Loaded query={connections} what="connections">
        {(all) =>
          all.length === 0 ? (
            <Empty title="There is no connection yet.">
              Everybody signs in by password or passkey. Add a connection to let your organisation’s sign-in do it.
            </Empty>
          ) : (
            <CardTable
              label="Connections"
              rows={all}
              columns={[
                [
                  'Name',
                  (connection) => (
                    <Opener name={connection.name} open={() => editing.edit({ kind: connection.kind, connection })} />
                  ),
                ],
                ['Kind', ({ kind }) => SHORT[kind]],
                ['State', ({ isEnabled }) => (isEnabled ? 'Switched on' : 'Switched off')],
                [
                  'For',
                  ({ kind, domains, issuer }) => (kind === 'SMART' ? issuer : domains.join(', ') || 'No domain yet'),
                ],
              ]}
            />
          )
        }
      </Loaded>
      {open && (
        <ConnectionDrawer
          key={`${open.kind} ${open.connection?.version ?? 'new'}`}
          kind={open.kind}
          connection={open.connection}
          close={editing.close}
          outdated={renew}
          takeTheirs={async () => {
            const all = await client.fetchQuery(connectionsQuery);
            const now = all.find(({ id }) => id === open.connection?.id);
            if (now) return editing.edit({ kind: now.kind, connection: now });
            editing.close();
            editing.say('Somebody else has removed it.');
          }}
          saved={(message, created) => {
            renew();
            editing.saved(message);
            // A new one opens again: its addresses have to be told to the other side now.
            if (created) editing.edit({ kind: created.kind, connection: created });
            editing.say(message);
          }}
        />
      )}
    </AdminPage>
  );
};
