import { Link } from '../router/link.tsx';
import { NO_ACCESS } from '../session/paths.ts';
import { anchor, Text, Title } from '../ui/plain/text.tsx';
import { useTitle } from '../ui/use-title.ts';
import classes from './pages.module.css';

/** Shown for a path that is no page or not one of this user's experience, and for a page that the user may not open. */
export const NotFoundPage = ({ data }: { data?: unknown }) => {
  const isRefused = data === NO_ACCESS;
  const title = isRefused ? "You don't have access to this page" : 'This page does not exist';
  useTitle(title);
  return (
    <div className={classes.page}>
      <Title>{title}</Title>
      <Text mt="sm" c="dimmed">
        {isRefused
          ? 'An administrator in your organization can give you access.'
          : "The address may be mistyped, or this page isn't part of your version of Tidings."}
      </Text>
      <Link to="/" {...anchor('md')}>
        Go To Home Page
      </Link>
    </div>
  );
};
