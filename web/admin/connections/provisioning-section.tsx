import { Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SsoConnection } from '#contract/admin.ts';
import type { Provisioning } from '#contract/provisioning.ts';
import { call } from '../../api/call.ts';
import { CopyValue } from '../../forms/copy-value.tsx';
import { Loaded } from '../../forms/loaded.tsx';
import classes from '../admin.module.css';
import { useDirectory } from '../directory/use-directory.ts';
import { NewUsers } from './new-users.tsx';
import { ProviderGroups } from './provider-groups.tsx';
import { ScimTokens } from './scim-tokens.tsx';

const provisioningQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-provisioning', id],
    queryFn: () => call('GET /api/admin/sso-connections/:id/provisioning', { params: { id } }),
    staleTime: 0,
  });

/** How the other side makes and manages accounts: at the first sign-in, and by SCIM. Saved apart from the connection's form. */
export const ProvisioningSection = ({ connection: { id, kind, organization } }: { connection: SsoConnection }) => {
  const client = useQueryClient();
  const options = provisioningQuery(id);
  const query = useQuery(options);
  const { data: directory } = useDirectory();
  const refresh = (): void => void client.invalidateQueries({ queryKey: options.queryKey });
  const changed = (next: Provisioning): void => void client.setQueryData(options.queryKey, next);
  return (
    <section aria-label="Accounts">
      <h3 className={classes.subhead}>Accounts</h3>
      <Loaded query={query} what="accounts">
        {({ baseUrl, tokens, groups, newUsers }) =>
          directory && (
            <>
              <NewUsers
                connectionId={id}
                newUsers={newUsers}
                directory={directory}
                owner={{ organization }}
                changed={changed}
              />
              {kind !== 'SMART' && (
                <>
                  <h4 className={classes.subhead}>Provisioning (SCIM 2.0)</h4>
                  <Text size="sm" c="dimmed" mb="xs">
                    Your identity provider creates, changes and disables accounts in the verified domains, and says who
                    is in its groups.
                  </Text>
                  <CopyValue label="SCIM base URL" value={baseUrl} />
                  <ScimTokens connectionId={id} tokens={tokens} changed={refresh} />
                  <ProviderGroups
                    connectionId={id}
                    groups={groups}
                    directory={directory}
                    owner={{ organization }}
                    changed={changed}
                  />
                </>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
};
