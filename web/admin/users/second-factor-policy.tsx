import { Button, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';

const policyQuery = queryOptions({
  queryKey: ['admin-sign-in-policy'],
  queryFn: () => call('GET /api/admin/sign-in-policy'),
  staleTime: 0,
});

const describe = (isRequired: boolean, isForAdministrators: boolean): string => {
  if (isRequired) return 'Everyone who signs in with a password needs two-step verification or a passkey.';
  return isForAdministrators
    ? 'Two-step verification is required for administrators, and optional for everyone else.'
    : 'Two-step verification is optional.';
};

/** Who needs a second factor in the organization, and the switch for it. */
export const SecondFactorPolicy = () => {
  const client = useQueryClient();
  const { data: policy } = useQuery(policyQuery);
  const [isChanging, setIsChanging] = useState(false);
  if (!policy) return null;
  const { requiresSecondFactor: isRequired, requiresOfAdministrators } = policy;
  return (
    <Text size="sm" mb="sm">
      {describe(isRequired, requiresOfAdministrators)}{' '}
      <Button size="compact-xs" variant="default" onClick={() => setIsChanging(true)}>
        {isRequired ? 'Make it optional…' : 'Require it for everyone…'}
      </Button>
      {isChanging && (
        <Confirm
          title={isRequired ? 'Make two-step verification optional?' : 'Require two-step verification for everyone?'}
          word={isRequired ? 'Make it optional' : 'Require it'}
          act={() => call('PUT /api/admin/sign-in-policy', { body: { requiresSecondFactor: !isRequired } })}
          done={() => {
            setIsChanging(false);
            void client.invalidateQueries({ queryKey: policyQuery.queryKey });
          }}
          close={() => setIsChanging(false)}
        >
          {isRequired
            ? 'People who have set it up keep it until they turn it off.'
            : 'At their next sign-in, people without it set it up before they can continue. Single sign-on isn’t affected: your identity provider decides there.'}
        </Confirm>
      )}
    </Text>
  );
};
