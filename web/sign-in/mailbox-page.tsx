import { Anchor, Badge, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame } from './account-frame.tsx';
import classes from './sign-in-page.module.css';

/** The text with its links to this site made links; others stay text. */
const Body = ({ text }: { text: string }) => (
  <div className={classes.body}>
    {text.split(/(https?:\/\/[^\s<>"]+)/).map((part, place) => {
      const url = place % 2 ? URL.parse(part) : null;
      if (!url) return part;
      // A demo may be reached by another name than the one in its mails.
      return (
        <Anchor key={`${place}${part}`} href={url.pathname + url.search + url.hash} inherit underline="always">
          {part}
        </Anchor>
      );
    })}
  </div>
);

/** What a demo installation mailed and texted instead of sending it. */
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
      <Text c="dimmed">Nothing of this was sent to anybody. The newest stands first.</Text>
      {mails.isError && <Failed what="The mailbox could not be loaded" error={mails.error} />}
      {mails.data?.length === 0 && <Empty title="No mails yet.">Ask for a new password, or invite somebody.</Empty>}
      <ol className={classes.mails}>
        {mails.data?.map(({ id, to, channel, sentAt, subject, body }) => (
          <li key={id}>
            <Title order={2} size="h4">
              {subject || 'Text message'}
            </Title>
            <Text size="xs" c="dimmed">
              <Badge component="span" color="gray" mr="xs">
                {channel === 'text' ? 'Text message' : 'E-mail'}
              </Badge>
              to {to} · {formatDateTime(sentAt)}
            </Text>
            <Body text={body} />
          </li>
        ))}
      </ol>
      <Anchor component={Link} to="/login" underline="always">
        Return to sign-in
      </Anchor>
    </AccountFrame>
  );
};
