import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SsoConnection } from '#contract/admin.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { AdminPage, useEditing } from '../admin-page.tsx';
import { connectionsQuery } from '../admin-queries.ts';
import { Opener } from '../opener.tsx';
import { ConnectionDrawer, KIND_LABELS } from './connection-drawer.tsx';
import type { ConnectionActs, SsoKind } from './use-connection-form.ts';

const KINDS = Object.keys(KIND_LABELS) as SsoKind[];
const SHORT: Record<SsoKind, string> = { OIDC: 'OpenID Connect', SAML: 'SAML 2.0', SMART: 'SMART App Launch' };

/** The connections, with the drawer of one, or of a new one of a kind, beside them. */
const useConnections = () => {
  const client = useQueryClient();
  const list = useQuery(connectionsQuery);
  const editing = useEditing<{ kind: SsoKind; connection: SsoConnection | null }>();
  const { open, edit } = editing;
  const renew = (): void => void client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  const openOne = (connection: SsoConnection): void => edit({ kind: connection.kind, connection });
  const acts: ConnectionActs = {
    close: editing.close,
    outdated: renew,
    takeTheirs: async () => {
      const all = await client.fetchQuery(connectionsQuery);
      const now = all.find(({ id }) => id === open?.connection?.id);
      if (now) return openOne(now);
      editing.close();
      editing.say('Somebody else has removed it.');
    },
    saved: (message, created) => {
      renew();
      editing.saved(message);
      // A new one opens again: its addresses have to be told to the other side now.
      if (created) openOne(created);
      editing.say(message);
    },
  };
  return { list, editing, openOne, add: (kind: SsoKind): void => edit({ kind, connection: null }), acts };
};

const AddButtons = ({ ready, add }: { ready: boolean; add: (kind: SsoKind) => void }) => (
  <Group gap="sm" role="group" aria-label="Add a connection">
    {KINDS.map((kind) => (
      <Button key={kind} size="xs" variant="default" disabled={!ready} onClick={() => add(kind)}>
        Add {SHORT[kind]}
      </Button>
    ))}
  </Group>
);

/** Connections to identity providers and EHRs. */
export const ConnectionsPage = () => {
  const { list, editing, openOne, add, acts } = useConnections();
  const { open } = editing;
  return (
    <AdminPage
      title="Single sign-on"
      lead="Let users sign in where their organisation keeps their accounts, or launch from an EHR."
      message={editing.message}
      close={() => editing.say(null)}
      action={<AddButtons ready={list.data !== undefined} add={add} />}
    >
      <Loaded query={list} what="connections">
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
                ['Name', (connection) => <Opener name={connection.name} open={() => openOne(connection)} />],
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
      {open && <ConnectionDrawer key={`${open.kind} ${open.connection?.version ?? 'new'}`} {...open} {...acts} />}
    </AdminPage>
  );
};
