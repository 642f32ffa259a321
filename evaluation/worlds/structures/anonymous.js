// Nothing identifies: only the amount and the time.
import { cents } from '../money.js';
import { runNoise, sourceNoise } from '../noise.js';
import { lag, officeTime } from '../time.js';

export const anonymous = { stories: { purchase } };

/** A quote, or none, and what is paid; notes in between. */
function purchase({ world, random, span }) {
  const time = officeTime(random, span);
  const amount = cents(random, 80, 0.9);
  if (random.chance(0.2)) till(world, { amount, time, cause: null });
  else {
    const isPaid = !random.chance(0.1);
    const cause = quote(world, { amount, time, isHidden: random.chance(0.05) });
    if (isPaid) till(world, { amount, time: time + lag(random, 3, 0.8), cause });
  }
  for (let left = random.below(3); left > 0; left--) {
    note(world, officeTime(random, span));
  }
}

function quote(world, { amount, time, isHidden }) {
  const { random } = world;
  return world.decide({
    agent: `kiosk-${1 + random.below(5)}`,
    action: random.pick(['oferta_final', 'aplicar_descuento']),
    time,
    isHidden,
    metadata: runNoise(random),
    inputs: { basket: { items: 1 + random.below(6) }, list_price: Math.ceil(amount / 90) },
    outputs: { precio: amount / 100, moneda: 'USD' },
  });
}

function note(world, time) {
  const { random } = world;
  world.decide({
    agent: `kiosk-${1 + random.below(5)}`,
    action: 'responder_pregunta',
    time,
    metadata: runNoise(random),
    inputs: { pregunta: '¿Dónde está la caja?' },
    outputs: { respuesta: 'Al fondo a la derecha.' },
  });
}

function till(world, { amount, time, cause }) {
  const { random } = world;
  world.event({
    type: 'cobro',
    id: null,
    amount,
    time,
    cause,
    metadata: { ...sourceNoise(random), till: 1 + random.below(4) },
  });
}
