/** What a word of a key says of its value. */
export const AMOUNT_WORDS = [
  ...(['approved', 'claimed', 'read', 'total', 'amount', 'price', 'unit'] as const),
  ...(['extra', 'value', 'quantity', 'currency', 'other'] as const),
] as const;
export type AmountWord = (typeof AMOUNT_WORDS)[number];

/** What a word of an action type says of the step. */
export const ACTION_WORDS = ['reads', 'approves'] as const;
export type ActionWord = (typeof ACTION_WORDS)[number];

const words = (...languages: string[]): string[] => languages.flatMap((text) => text.split(' '));

/**
 * English, German, French, Spanish, Italian, Portuguese, Dutch and Polish, in small letters without accents.
 */
export const DEFAULT_AMOUNT_WORDS: Record<AmountWord, string[]> = {
  approved: words(
    'approv* granted grant accepted accept awarded',
    'genehmig* bewillig* freigegeben* zugesagt*',
    'approuv* accord* accepte*',
    'aprob* concedid* aceptad*',
    'concess* accettat*',
    'aprov* aceit*',
    'goedkeur* goedgekeurd* toegekend* geaccepteerd*',
    'zatwierdz* przyznan* zaakceptowan*',
  ),
  claimed: words(
    'claim claims claimed request requests requested asked demanded disputed',
    'beantragt* angefordert* gefordert* gewunscht* forderung reklamiert*',
    'demande demandee reclame reclamee sollicite sollicitee reclamation',
    'solicitad* reclamad* reclamacion',
    'richiest* reclamat*',
    'requerid* pleitead* reivindicad*',
    'gevraagd* aangevraagd* geclaimd* gevorderd* claimbedrag',
    'zadan* wnioskowan* roszczenie roszczenia zgloszon*',
  ),
  read: words(
    'limit limits balance balances max maximum min minimum threshold cap ceiling floor available remaining',
    'budget quota previous past old before lifetime history recent existing options alternatives candidates',
    '*limit *grenze *saldo guthaben kontostand hochst* maximal* mindest* verfugbar* bisher* vorherig* verlauf',
    'plafond solde limite seuil precedent* ancien* disponible* restant* historique',
    'saldos maximo minimo tope umbral anterior* historial presupuesto',
    'massim* minim* soglia tetto precedenti disponibil* residu* storico',
    'maxim* teto disponivel historico orcamento',
    'limiet* *limiet drempel vorig* beschikba* resterend* geschiedenis',
    'maksymaln* minimaln* prog poprzedni* dostepn* pozostal* historia',
  ),
  total: words(
    'total totals sum grand',
    'gesamt* *summe summe endbetrag',
    'totale totaux somme',
    'totales suma',
    'totali somma',
    'totais soma',
    'totaal* som',
    'razem lacznie laczna',
  ),
  amount: words(
    'amount amounts amt *amount money subtotal payment payments refund refunds refunded charge charges charged',
    'chargeback principal payout premium salary loan revenue spend debit credit deposit withdrawal transfer',
    'fare fine penalty compensation reimbursement bonus paid captured settlement cost costs',
    'betrag betrage *betrag *zahlung *erstattung erstattet* gutschrift *gutschrift *entschadigung kosten *kosten',
    'montant* remboursement* rembourse* paiement* virement* indemnite indemnisation cout*',
    'importe importes monto montos reembolso* reembolsad* pago pagos abono devolucion* coste costo indemnizacion',
    'importo importi rimborso rimborsi rimborsat* pagamento pagamenti bonifico indennizzo costi',
    'montante quantia estorno* pagamentos devolucao custo indenizacao',
    '*bedrag terugbetaling* betaling* uitbetaling* vergoeding*',
    'kwota kwoty kwote zwrot* platnosc* wyplata wyplaty odszkodowanie koszt koszty',
  ),
  price: words(
    'price prices *preis prix precio precios prezzo prezzi preco precos *prijs cena ceny',
  ),
  unit: words(
    'unit each per *einzelpreis *stuckpreis unitaire unitaires unitario unitaria unitari stuksprijs',
    'eenheidsprijs jednostkow*',
  ),
  extra: words(
    'fee fees tax taxes vat tip tips shipping discount discounts surcharge commission gratuity',
    '*gebuhr *gebuhren *gebuehr *gebuehren *steuer trinkgeld versandkosten rabatt provision zuschlag',
    'frais taxe tva remise pourboire',
    'comision comisiones impuesto impuestos iva propina descuento',
    'commissione commissioni tassa tasse imposta spese mancia sconto',
    'taxa taxas imposto impostos comissao tarifa gorjeta desconto',
    'btw belasting toeslag verzendkosten fooi korting',
    'oplata oplaty podatek prowizja napiwek rabat',
  ),
  value: words(
    'value number minor major decimal cents units wert valeur valor valore waarde wartosc cantidad',
  ),
  quantity: words(
    'quantity qty units menge anzahl stuckzahl quantite cantidad unidades quantita quantidade qtd aantal',
    'hoeveelheid ilosc',
  ),
  currency: words('currency ccy wahrung waehrung devise monnaie moneda divisa valuta moeda waluta'),
  other: words(
    'count number num quantity qty tokens items days hours minutes seconds ms rate ratio percent percentage',
    'pct score id ids ref reference date time timestamp at type status method name code reason version index',
    'rank probability nummer datum anzahl prozent grund numero fecha date taux data tasso numer procent',
  ),
};

export const DEFAULT_ACTION_WORDS: Record<ActionWord, string[]> = {
  reads: words(
    'get list search lookup look find fetch read query show view check describe calculate compute estimate',
    'think classify verify validate retrieve inspect analyze analyse monitor track trace triage preview',
    'forecast predict simulate log score screen detect identify rank extract parse compare browse count answer',
    'reply respond explain summarize summarise report ask inform greet suggest recommend propose route',
    'categorize categorise draft notify remind',
    'abrufen lesen suchen finden anzeigen auflisten prufen abfragen berechnen klassifizieren einordnen',
    'beantworten empfehlen vorschlagen nachschlagen ermitteln zusammenfassen',
    'obtenir lire chercher rechercher trouver afficher lister consulter verifier calculer classer repondre',
    'recommander proposer recuperer resumer',
    'obtener leer buscar encontrar mostrar listar consultar verificar calcular clasificar responder',
    'recomendar proponer recuperar resumir',
    'ottenere ottieni leggere leggi cercare cerca trovare trova mostrare mostra elencare elenca consultare',
    'verificare verifica calcolare calcola classificare classifica rispondere rispondi consigliare proporre',
    'obter ler procurar classificar recomendar propor',
    'ophalen lezen zoeken vinden tonen weergeven opvragen controleren berekenen classificeren beantwoorden',
    'aanbevelen voorstellen opzoeken',
    'pobierz pobieranie odczytaj szukaj znajdz pokaz wyswietl sprawdz oblicz sklasyfikuj odpowiedz polec zaproponuj',
  ),
  approves: words(
    'approve accept authorize authorise grant decide adjudicate settle pay refund reimburse compensate charge',
    'capture issue send transfer wire disburse release credit debit book buy purchase order place',
    'execute award sell invoice bill payout waive',
    '*genehmigen genehmige* bewillig* freigeben freigabe akzeptier* *zahlen *erstatten erstattung* uberweis*',
    'auszahlung* bezahl* gutschreiben kaufen bestellen entscheid*',
    'approuver autoriser accorder accepter payer rembourser remboursement virer verser acheter commander',
    'aprobar autorizar conceder aceptar pagar reembolsar reembolso transferir abonar comprar devolver',
    'approvare approva autorizzare autorizza concedere accettare pagare paga rimborsare rimborsa rimborso',
    'trasferire acquistare',
    'aprovar aceitar estornar devolver',
    'goedkeuren toekennen accepteren betalen terugbetalen terugbetaling uitbetalen overmaken kopen',
    'zatwierdz* przyznaj zaakceptuj zaplac wyplac zwroc zwrot* przelej przelew kup',
  ),
};
