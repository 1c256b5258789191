import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SsoConnection } from '#contract/admin.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { Banner } from '../../ui/banner.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { AdminPage } from '../admin-page.tsx';
import { connectionsQuery } from '../admin-queries.ts';
import { Opener } from '../opener.tsx';
import { organizationColumn } from '../organization.ts';
import { REMOVED_BY_OTHER, useEditing } from '../use-editing.ts';
import { ConnectionDrawer, KIND_LABELS } from './connection-drawer.tsx';
import { TEST_RESULTS, useTestResult } from './test-sign-in.tsx';
import type { ConnectionHandlers, SsoKind } from './use-connection-form.ts';

const KINDS = Object.keys(KIND_LABELS) as SsoKind[];
const SHORT: Record<SsoKind, string> = { OIDC: 'OpenID Connect', SAML: 'SAML 2.0', SMART: 'SMART App Launch' };

const domainWords = ({ domain, verifiedBy }: SsoConnection['domainStates'][number]): string =>
  verifiedBy ? domain : `${domain} (pending)`;

/** State of the list of connections and of the drawer beside it. */
const useConnections = () => {
  const client = useQueryClient();
  const list = useQuery(connectionsQuery);
  const editing = useEditing<{ kind: SsoKind; connection: SsoConnection | null }>();
  const { open, edit } = editing;
  const refresh = (): void => void client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  const openOne = (connection: SsoConnection): void => edit({ kind: connection.kind, connection });
  const handlers: ConnectionHandlers = {
    close: editing.close,
    outdated: refresh,
    takeTheirs: async () => {
      const all = await client.fetchQuery(connectionsQuery);
      const current = all.find(({ id }) => id === open?.connection?.id);
      if (current) openOne(current);
      else editing.saved(REMOVED_BY_OTHER);
    },
    saved: (message, created) => {
      refresh();
      editing.saved(message);
      // A new connection opens again, because its URLs now have to be entered at the identity provider or EHR.
      if (created) openOne(created);
      editing.showMessage(message);
    },
    domainChanged: (connection) => {
      refresh();
      openOne(connection);
    },
  };
  return { list, editing, openOne, add: (kind: SsoKind): void => edit({ kind, connection: null }), handlers };
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
  const { list, editing, openOne, add, handlers } = useConnections();
  const { open } = editing;
  const { result, dismiss } = useTestResult();
  const passed = result === 'passed' ? TEST_RESULTS.passed : null;
  return (
    <AdminPage
      title="Single sign-on"
      lead="Let people sign in with their organization's account, or launch Tidings from an EHR."
      message={editing.message ?? (open ? null : passed)}
      dismissMessage={() => {
        editing.dismissMessage();
        dismiss();
      }}
      action={<AddButtons ready={list.data !== undefined} add={add} />}
    >
      {result && !passed && (
        <Banner kind="WARNING" role="alert" close={dismiss}>
          {TEST_RESULTS[result]}
        </Banner>
      )}
      <Loaded query={list} what="connections">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No connections yet.">
              Everyone signs in with a password or passkey. Add a connection to use your organization's sign-in.
            </Empty>
          ) : (
            <CardTable
              label="Connections"
              rows={all}
              columns={[
                ['Name', (connection) => <Opener name={connection.name} open={() => openOne(connection)} />],
                ...organizationColumn(all),
                ['Type', ({ kind }) => SHORT[kind]],
                ['Status', ({ isEnabled }) => (isEnabled ? 'Enabled' : 'Not enabled')],
                [
                  'Applies to',
                  ({ kind, domainStates, issuer }) =>
                    kind === 'SMART' ? issuer : domainStates.map(domainWords).join(', ') || 'No domains yet',
                ],
              ]}
            />
          )
        }
      </Loaded>
      {open && <ConnectionDrawer key={`${open.kind} ${open.connection?.version ?? 'new'}`} {...open} {...handlers} />}
    </AdminPage>
  );
};
