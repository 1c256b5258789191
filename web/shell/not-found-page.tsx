import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTitle } from '../ui/use-title.ts';
import classes from './pages.module.css';

/** Shown for a path that is no page, or not one of this user's experience. */
export const NotFoundPage = () => {
  useTitle('This page does not exist');
  return (
    <div className={classes.page}>
      <Title order={1}>This page does not exist</Title>
      <Text mt="sm" c="dimmed">
        The address may be mistyped, or this page isn't part of your version of Tidings.
      </Text>
      <Anchor component={Link} to="/" mt="md" display="inline-block">
        Go To Home Page
      </Anchor>
    </div>
  );
};
