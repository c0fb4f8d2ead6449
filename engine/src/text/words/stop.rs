//! Words that stand in most sentences of a language and tell none from another: its closed classes, that is articles,
//! pronouns, prepositions, conjunctions, auxiliaries, and the words that open questions.
//!
//! Written by hand. A language without a list is one where nobody has written it: all of its words are found. A word is
//! looked up as it is written, accents included, since without them it can be another ("né" is no "ne").

use std::collections::HashSet;
use std::sync::LazyLock;

use super::language::Language;

type Words = LazyLock<HashSet<&'static str>>;

fn set(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

/// Returns the words of a language that no text is found by.
pub(super) fn stop_words(language: Language) -> Option<&'static HashSet<&'static str>> {
    match language {
        Language::Danish => Some(&DANISH),
        Language::Dutch => Some(&DUTCH),
        Language::English => Some(&ENGLISH),
        Language::French => Some(&FRENCH),
        Language::German => Some(&GERMAN),
        Language::Italian => Some(&ITALIAN),
        Language::Norwegian => Some(&NORWEGIAN),
        Language::Portuguese => Some(&PORTUGUESE),
        Language::Russian => Some(&RUSSIAN),
        Language::Spanish => Some(&SPANISH),
        Language::Swedish => Some(&SWEDISH),
        Language::Arabic
        | Language::Finnish
        | Language::Greek
        | Language::Hungarian
        | Language::None
        | Language::Romanian
        | Language::Tamil
        | Language::Turkish => None,
    }
}

static DANISH: Words = LazyLock::new(|| {
    set("
    ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din dine disse
    dog du efter eller en end er et for fra ham han hans har havde have hende hendes her hos hun hvad
    hvem hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornår i ikke ind ingen jeg jer jeres jo kan
    kunne man mange med meget men mig min mine mit mod ned noget nogle nu når og også om op os over på
    selv sig sin sine sit skal skulle som sådan thi til ud under var vi vil ville vor vore vores være
    været
    ")
});

static DUTCH: Words = LazyLock::new(|| {
    set("
    aan al alle alles als altijd andere ben bij bijvoorbeeld daar dan dat de der deze die dit doch doen
    door dus een eens en er ge geen geweest haar had hadden heb hebben hebt heeft hem het hier hij hoe
    hun iemand iets ik in is ja je jij jou jouw jullie kan kon konden kun kunnen maar me meer men met
    mij mijn mocht moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op over reeds te
    tegen toch toen tot u uit uw van veel voor waar waarom wanneer waren was wat we wel welk welke werd
    werden wie wij wil wilde word worden wordt zal ze zelf zich zij zijn zo zonder zou zouden
    ")
});

static ENGLISH: Words = LazyLock::new(|| {
    set("
    a about after all also am an and any are aren't as at be because been before being but by can can't
    could couldn't did didn't do does doesn't doing don't during for from had hadn't has hasn't have
    haven't having he he'd he'll he's her here hers herself him himself his how i i'd i'll i'm i've if
    in into is isn't it it'd it'll it's its itself just let's me might mine must my myself no nor not of
    off on or our ours ourselves out over shall she she'd she'll she's should shouldn't so some such
    than that that's the their theirs them themselves then there there's these they they'd they'll
    they're they've this those through to too up us very was wasn't we we'd we'll we're we've were
    weren't what what's when when's where where's which while who who's whom whose why will with won't
    would wouldn't you you'd you'll you're you've your yours yourself yourselves
    ")
});

static FRENCH: Words = LazyLock::new(|| {
    set("
    ai aie aient aies ait alors as au aucun aucune auquel aura aurai auraient aurais aurait auras aurez
    auriez aurions aurons auront aussi autre autres aux auxquelles auxquels avaient avais avait avec
    avez aviez avions avons ayant ayez ayons c car ce ceci cela celle celles celui ces cet cette ceux
    chez comme comment d dans de des desquelles desquels donc dont du duquel elle elles en entre es est
    et eu eue eues eurent eus eut eux furent fus fut fûmes il ils j je jusqu l la laquelle le lequel les
    lesquelles lesquels leur leurs lorsqu lorsque lui m ma mais me mes moi mon n ne ni nos notre nous on
    ont or ou où par parce pas pendant plus pour pourquoi puis puisqu puisque qu quand que quel quelle
    quelles quels qui quoi s sa sans se sera serai seraient serais serait seras serez seriez serions
    serons seront ses si sinon soi soient sois soit sommes son sont sous soyez soyons suis sur t ta te
    tes toi ton tu un une vers vos votre vous y à étaient étais était étant étiez étions êtes
    ")
});

static GERMAN: Words = LazyLock::new(|| {
    set("
    ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes
    auch auf aus bei beim bevor bin bis bist da damit dann das dass dasselbe dazu dein deine deinem
    deinen deiner deines dem demselben den denn denselben der derer derselbe derselben des desselben
    dessen dich die dies diese dieselbe dieselben diesem diesen dieser dieses dir doch dort du durch ein
    eine einem einen einer eines er es euch euer eure eurem euren eurer eures für gegen habe haben habt
    hast hat hatte hatten hattest hattet hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer
    ihres im in ins ist jede jedem jeden jeder jedes jene jenem jenen jener jenes kann kannst können
    könnt könnte könnten man mein meine meinem meinen meiner meines mich mir mit muss musste müssen nach
    nicht noch nun nur ob obwohl oder ohne schon sehr sein seine seinem seinen seiner seines seit sich
    sie sind so solche solchem solchen solcher solches soll sollen sollte sollten sondern um und uns
    unser unsere unserem unseren unserer unseres unter viel vom von vor war waren warst wart warum was
    weil welche welchem welchen welcher welches wem wen wenn wer werde werden werdet wessen wie wieder
    will wir wird wirst wo wollen wollte wollten worden wurde wurden während würde würden zu zum zur
    zwar zwischen über
    ")
});

static ITALIAN: Words = LazyLock::new(|| {
    set("
    a abbia abbiamo abbiano abbiate ad agl agli ai al all alla alle allo anche avendo avere avesse
    avessero avete aveva avevamo avevano avevate avevi avevo avuto c che chi ci coi col come con contro
    cui d da dagl dagli dai dal dall dalla dalle dallo degl degli dei del dell della delle dello di dopo
    dove e ebbe ebbero ed era erano eravamo eravate eri ero essendo essere fino fra fu fui fummo furono
    già gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mia mie miei mio ne
    negl negli nei nel nell nella nelle nello noi non nostra nostre nostri nostro o od ogni per perchè
    perché però poi prima quale quali quando quanta quante quanti quanto quella quelle quelli quello
    quest questa queste questi questo qui sarai saranno sarebbe sarete sarà sarò se sei senza si sia
    siamo siano siate siete solo sono sopra sotto sta stai stanno stata state stati stato stava sto su
    sua sue sugl sugli sui sul sull sulla sulle sullo suo suoi tra tu tua tue tuo tuoi tutti tutto un
    una uno v vi voi vostra vostre vostri vostro è
    ")
});

static NORWEGIAN: Words = LazyLock::new(|| {
    set("
    alle at av bare begge ble blei bli blir blitt da de deg dem den denne der dere deres det dette di
    din disse ditt du eller en enn er et ett etter for fordi fra før ha hadde han hans har hennes her
    hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor i ikke ikkje ingen inn jeg kan kom kunne
    man mange med meg meget mellom men mi min mine mitt mot mye må noe noen nok nå når og også om opp
    oss over på seg selv si sin sine sitt sjøl skal skulle slik som så til um under ut uten var ved vi
    vil ville vår våre være vært å
    ")
});

static PORTUGUESE: Words = LazyLock::new(|| {
    set("
    a ao aos aquela aquelas aquele aqueles aquilo as até com como da das de dela delas dele deles depois
    do dos e ela elas ele eles em entre era eram essa essas esse esses esta estamos estar estas estava
    estavam este esteja estes estou está estão eu foi fomos foram fui havia há isso isto já lhe lhes mas
    me mesmo meu meus minha minhas muito na nas nem no nos nossa nossas nosso nossos num numa não nós o
    onde os ou para pela pelas pelo pelos por porque quais qual quando que quem se seja sejam sem ser
    será serão seu seus sobre somos sou sua suas são só também te tem temos tenho ter teu teus teve
    tinha tinham tu tua tuas têm um uma umas uns você vocês vos à às é éramos
    ")
});

static RUSSIAN: Words = LazyLock::new(|| {
    set("
    а без бы был была были было быть в вам вами вас весь во вот все всего всех вы где да для до его ее
    ей ему если есть еще ещё её же за и из или им ими их к как ко когда кого кому которая которого
    которой котором которую которые который которых кто ли лишь между меня мне мной мы на над нам нами
    нас не него нее ней нему неё ни ним ними них но ну о об обо он она они оно от перед по под после при
    про с свой свою себе себя со так также там тем то тобой того тоже той только том тот ту ты у уже
    чего чей чем через что чтобы эта эти этим этих это этого этой этом этот эту я
    ")
});

static SPANISH: Words = LazyLock::new(|| {
    set("
    a al algo alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aun
    aunque bajo como con contra cual cuales cuando cuál cuáles cuándo cómo de del desde donde durante
    dónde e el ella ellas ellos en entre era erais eran eras eres es esa esas ese eso esos esta estaba
    estabais estaban estabas estado estamos estar estas este esto estos estoy está estáis están estás
    fue fueron fui fuimos ha haber habéis había habíais habían habías hasta hay haya he hemos la las le
    les lo los me mi mientras mis mucho muy más mí mía mías mío míos nada ni no nos nosotras nosotros
    nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque pues que
    quien quienes quién quiénes qué se sea sean ser si sido siendo sin sobre sois somos son soy su sus
    suya suyas suyo suyos sé sí también tan tanto te tenemos tener tengo ti tiene tienen tienes todo
    todos tu tus tuya tuyas tuyo tuyos tú u un una unas uno unos vosotras vosotros vuestra vuestras
    vuestro vuestros y ya yo él éramos
    ")
});

static SWEDISH: Words = LazyLock::new(|| {
    set("
    alla allt att av blev bli blir blivit de dem den denna deras dess dessa det detta dig din dina ditt
    du där då efter ej eller en er era ert ett från för ha hade han hans har henne hennes hon honom hur
    här i icke ingen inom inte jag ju kan kunde man med mellan men mig min mina mitt mot mycket ni nu
    när någon något några och om oss på samma sedan sig sin sina sitt sitta så sådan sådana sådant till
    under upp ut utan vad var vara varför varit varje vars vart vem vems vi vid vilka vilkas vilken
    vilket vår våra vårt än är åt över
    ")
});
