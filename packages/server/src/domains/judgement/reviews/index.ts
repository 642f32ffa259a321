export { answerReview } from './answer.js';
export { listReviews } from './list.js';
