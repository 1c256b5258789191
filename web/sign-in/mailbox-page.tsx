import { Anchor, Badge, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { Link } from '../router/link.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame } from './account-frame.tsx';
import classes from './sign-in-page.module.css';

/** The text of a message, with its URLs as links. */
const Body = ({ text }: { text: string }) => (
  <div className={classes.body}>
    {text.split(/(https?:\/\/[^\s<>"]+)/).map((part, place) => {
      const url = place % 2 ? URL.parse(part) : null;
      if (!url) return part;
      // The host is left out: a demo may be reached at another name than the one in its emails.
      return (
        <Anchor key={`${place}${part}`} href={url.pathname + url.search + url.hash} inherit underline="always">
          {part}
        </Anchor>
      );
    })}
  </div>
);

/** The emails and text messages that a demo installation would have sent. */
export const MailboxPage = () => {
  useTitle('Demo mailbox');
  const mails = useQuery({
    queryKey: ['demo-mailbox'],
    queryFn: () => inBackground(() => call('GET /api/demo/mailbox')),
    refetchInterval: 5000,
  });
  if (mails.error instanceof ApiError && mails.error.status === 404)
    return (
      <AccountFrame title="This page does not exist">
        <Anchor href="/">Go To Home Page</Anchor>
      </AccountFrame>
    );
  return (
    <AccountFrame title="Demo mailbox" wide>
      <Text c="dimmed">For this demo, messages are shown here instead of being sent. Newest first.</Text>
      {mails.isError && <Failed what="Couldn't load the messages." error={mails.error} />}
      {mails.data?.length === 0 && (
        <Empty title="No messages yet.">Reset a password or invite someone to see one.</Empty>
      )}
      <ol className={classes.mails}>
        {mails.data?.map(({ id, to, channel, sentAt, subject, body }) => (
          <li key={id}>
            <Title order={2} size="h4">
              {subject || 'Text message'}
            </Title>
            <Text size="xs" c="dimmed">
              <Badge component="span" color="gray" mr="xs">
                {channel === 'text' ? 'Text message' : 'Email'}
              </Badge>
              to {to} · {formatDateTime(sentAt)}
            </Text>
            <Body text={body} />
          </li>
        ))}
      </ol>
      <Anchor component={Link} data-target to="/login" underline="always">
        Return to sign-in
      </Anchor>
    </AccountFrame>
  );
};
