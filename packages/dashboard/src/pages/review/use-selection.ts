import type { Review } from '@decision-ledger/client/api/review';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

const route = getRouteApi('/shell/review');

/** The event in view, which the address has, and its candidate in view. */
export function useSelection(reviews: readonly Review[], isOpen: (review: Review) => boolean) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [choice, setChoice] = useState({ eventId: '', place: 0 });
  const named = reviews.findIndex(({ financial_event }) => financial_event.id === search.event);
  const index = named >= 0 ? named : Math.max(0, reviews.findIndex(isOpen));
  const review = reviews[index];
  const id = review?.financial_event.id ?? '';
  const candidates = review?.candidates ?? [];
  const place = choice.eventId === id ? choice.place : 0;
  return {
    index,
    review,
    place,
    candidate: candidates[place],
    /** Shows the event at this index, if there is one. */
    open(at: number) {
      const event = reviews[at]?.financial_event.id;
      if (event === undefined) return;
      void navigate({ to: '/review', search: { ...search, event }, replace: true });
    },
    choose(at: number) {
      if (at < candidates.length) setChoice({ eventId: id, place: at });
    },
  };
}
