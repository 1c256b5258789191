import { Alert, Anchor, Button, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { Form } from './sign-in-forms.tsx';
import { refusal } from './sign-in-steps.ts';
import { TokenPage, takeToken } from './token-page.tsx';

const EMPTY = { username: '', firstName: '', lastName: '', title: '', groupId: '' };
type Fields = typeof EMPTY;
const REQUIRED: [keyof Fields, string][] = [
  ['username', 'Enter your e-mail address; it becomes your username.'],
  ['firstName', 'Enter your first name.'],
  ['lastName', 'Enter your last name.'],
  ['groupId', 'Search for your group and choose it.'],
];

/** What is missing, by field, in the order of the form. */
export const lacking = (fields: Fields): Partial<Fields> =>
  Object.fromEntries(REQUIRED.filter(([name]) => !fields[name].trim()));

const SEARCH_PAUSE = 300;
const useGroups = (typed: string) => {
  const [query, setQuery] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), SEARCH_PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return useQuery({
    queryKey: ['registration-groups', query],
    queryFn: () => call('GET /api/registrations/groups', { query: { query } }),
    enabled: query.length >= 2,
  });
};

const GroupSearch = ({
  value,
  error,
  choose,
}: {
  value: string;
  error: string | undefined;
  choose: (groupId: string) => void;
}) => {
  const [typed, setTyped] = useState('');
  const { data, isError } = useGroups(typed);
  return (
    <>
      <TextInput
        label="Group"
        description="Your hospital, facility or program. Type the beginning of its name."
        name="group"
        autoComplete="off"
        value={typed}
        error={error}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          choose('');
        }}
      />
      <div role="status">
        {isError && <Text size="sm">The groups could not be searched. Try again.</Text>}
        {data?.length === 0 && <Text size="sm">No group begins like this. Check the spelling.</Text>}
        {data && data.length > 0 && (
          <Text size="xs" c="dimmed">
            {data.length === 1 ? '1 group' : `${data.length} groups`}
          </Text>
        )}
      </div>
      {data && data.length > 0 && (
        <Radio.Group aria-label="Groups found" value={value} onChange={choose}>
          <Stack gap="sm">
            {data.map(({ id, name, organizationName }) => (
              <Radio key={id} value={id} label={name} description={organizationName} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </>
  );
};

/** After the request: an administrator whom one knows can be reminded of it. */
const Remind = ({ username, groupId }: { username: string; groupId: string }) => {
  const [adminUsername, setAdmin] = useState('');
  const [missing, setMissing] = useState(false);
  const remind = useMutation({
    mutationFn: () => call('POST /api/users/admin-email', { query: { username, groupId, adminUsername } }),
  });
  if (remind.isSuccess)
    return <Alert role="status">The reminder is on its way, if this person can decide on it.</Alert>;
  return (
    <>
      <Title order={2} size="h4">
        Do you know an administrator?
      </Title>
      <Problem message={remind.isError ? refusal(remind.error) : null} />
      <Form
        submit={() => {
          setMissing(!adminUsername.trim());
          if (!adminUsername.trim()) return false;
          remind.mutate();
        }}
      >
        <TextInput
          label="Administrator’s e-mail address"
          type="email"
          autoComplete="off"
          value={adminUsername}
          error={missing && 'Enter an e-mail address.'}
          onChange={({ currentTarget }) => setAdmin(currentTarget.value.trim().toLowerCase())}
        />
        <Button type="submit" variant="default" loading={remind.isPending}>
          Send a reminder
        </Button>
      </Form>
    </>
  );
};

const INPUTS: [name: keyof Fields, label: string, autoComplete: string][] = [
  ['username', 'Work e-mail address', 'email'],
  ['firstName', 'First name', 'given-name'],
  ['lastName', 'Last name', 'family-name'],
  ['title', 'Title (optional)', 'organization-title'],
];

/** Asks for an account in a group; the group's administrators decide. */
const RequestPage = () => {
  useTitle('Ask for an account');
  const [fields, setFields] = useState(EMPTY);
  const [errors, setErrors] = useState<Partial<Fields>>({});
  const set = (name: keyof Fields, value: string): void => {
    setFields((all) => ({ ...all, [name]: value }));
    setErrors(({ [name]: _, ...others }) => others);
  };
  const username = fields.username.trim().toLowerCase();
  const ask = useMutation({
    mutationFn: () =>
      call('POST /api/registrations', { body: { ...fields, username, title: fields.title.trim() || null } }),
    onError: (error) => error instanceof ApiError && setErrors(error.fields),
  });
  if (ask.isSuccess)
    return (
      <AccountFrame title="Your request is on its way">
        <Text>
          The administrators of the group have been told. As soon as one of them agrees, you get a mail to {username}{' '}
          with a link to activate your account.
        </Text>
        <Remind username={username} groupId={fields.groupId} />
        <Anchor component={Link} to="/login" underline="always">
          Return to sign-in
        </Anchor>
      </AccountFrame>
    );
  return (
    <AccountFrame title="Ask for an account">
      <Text>
        An administrator of your group decides on your request. If you have been invited, use the link in your mail
        instead.
      </Text>
      <Problem message={ask.isError ? refusal(ask.error) : null} />
      <Form
        submit={() => {
          const lacks = lacking(fields);
          setErrors(lacks);
          if (Object.keys(lacks).length > 0) return false;
          ask.mutate();
        }}
      >
        {INPUTS.map(([name, label, autoComplete]) => (
          <TextInput
            key={name}
            label={label}
            name={name}
            type={name === 'username' ? 'email' : 'text'}
            autoComplete={autoComplete}
            value={fields[name]}
            error={errors[name]}
            onChange={({ currentTarget }) => set(name, currentTarget.value)}
          />
        ))}
        <GroupSearch value={fields.groupId} error={errors.groupId} choose={(groupId) => set('groupId', groupId)} />
        <Button type="submit" loading={ask.isPending} mt="xs">
          Send the request
        </Button>
      </Form>
      <Anchor component={Link} to="/login" underline="always">
        Return to sign-in
      </Anchor>
    </AccountFrame>
  );
};

/** An invited user activates by the mailed link; anybody else asks for an account. */
export const RegistrationPage = () => {
  // Once: the page of the link takes the token out of the address.
  const [invited] = useState(() => takeToken() !== '');
  return invited ? <TokenPage /> : <RequestPage />;
};
