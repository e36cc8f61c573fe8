import Cryptography
import Glibc
import Protocol

/// How to make a secret: a number of parts, each chosen independently and uniformly.
struct SecretRecipe: Equatable {
  /// The parts to choose from, in UTF-8, all different.
  let parts: [[UInt8]]
  let count: Int
  /// What goes between two parts.
  let separator: [UInt8]

  static let most = 1024

  /// A recipe of characters.
  /// - Throws: `usage` if there are too few characters, or one comes twice.
  static func characters(_ alphabet: String, count: Int) throws(Failure) -> SecretRecipe {
    let characters = Array(alphabet.unicodeScalars)
    guard Set(characters).count == characters.count else {
      throw .usage("A character comes twice, which would make it more likely")
    }
    guard characters.count >= 2 else {
      throw .usage("There are too few characters to choose from: give at least two")
    }
    guard !characters.contains(where: \.isSteering) else {
      throw .usage("A character among them cannot be shown")
    }
    return SecretRecipe(
      parts: characters.map { Array(String($0).utf8) },
      count: try checked(count, "--length"), separator: [])
  }

  /// A recipe of words from ``WordList``.
  static func words(count: Int) throws(Failure) -> SecretRecipe {
    SecretRecipe(
      parts: WordList.words, count: try checked(count, "--words"), separator: [UInt8(ascii: "-")])
  }

  private static func checked(_ count: Int, _ option: String) throws(Failure) -> Int {
    guard (1...most).contains(count) else {
      throw .usage("\(option) is between 1 and \(most)")
    }
    return count
  }

  /// The entropy of a secret, in bits.
  var bits: Double { Double(count) * log2(Double(parts.count)) }

  /// Makes a secret from the kernel's randomness.
  func make() throws(Failure) -> SecretBytes {
    var numbers = UnbiasedNumbers()
    var made = WireEncoder(capacity: count * ((parts.map(\.count).max() ?? 1) + separator.count))
    for index in 0..<count {
      if index > 0 { made.writeRaw(separator.span) }
      let part = parts[try numbers.next(below: parts.count)]
      made.writeRaw(part.span)
    }
    return made.finish()
  }
}

/// The sets of characters that `--alphabet` names.
enum Alphabet: String, CaseIterable {
  case lowercase, uppercase, letters, digits, symbols, hex

  var characters: String {
    switch self {
    case .lowercase: "abcdefghijklmnopqrstuvwxyz"
    case .uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    case .letters: Alphabet.uppercase.characters + Alphabet.lowercase.characters
    case .digits: "0123456789"
    case .symbols: "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    case .hex: "0123456789abcdef"
    }
  }

  /// The characters of sets joined by `+`. A character in several sets counts once.
  static func characters(named text: String) throws(Failure) -> String {
    var characters = ""
    for name in text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let alphabet = Alphabet(rawValue: String(name)) else {
        throw .usage(
          "There is no alphabet \u{201C}\(name)\u{201D}",
          hint: "There are: " + allCases.map(\.rawValue).joined(separator: ", ")
            + "; several are joined by +. Characters of your own: --characters SET")
      }
      characters += alphabet.characters.filter { !characters.contains($0) }
    }
    return characters
  }
}

/// Uniform random numbers.
struct UnbiasedNumbers: ~Copyable {
  private var bytes = SecretBytes(count: 0)
  private var used = 0
  private static let supply = 256

  init() {}

  /// A number below `bound`, which is at least 1.
  mutating func next(below bound: Int) throws(Failure) -> Int {
    let bound = UInt32(bound)
    // Numbers beyond the last whole multiple would make small results more likely.
    let limit = UInt32.max - UInt32.max % bound
    while true {
      let number = try nextNumber()
      if number < limit { return Int(number % bound) }
    }
  }

  private mutating func nextNumber() throws(Failure) -> UInt32 {
    if used + 4 > bytes.count {
      bytes = try cryptographic { () throws(CryptographyError) in
        try RandomBytes.secret(count: Self.supply)
      }
      used = 0
    }
    defer { used += 4 }
    return (0..<4).reduce(0) { $0 << 8 | UInt32(bytes.bytes[used + $1]) }
  }
}

/// The words of `item generate --words`: 1,296 plain English words of the project's own choosing,
/// so that four dice name one. No word begins another, so that a secret can be taken apart without
/// separators.
enum WordList {
  static let words = text.split(separator: " ").map { Array($0.utf8) }

  private static let text = """
    acorn actor adult agent alarm album alert alley almond amber anchor angle ankle apple apron \
    arch armor arrow artist ash aspen atlas attic aunt autumn award axle baby bacon badge bagel \
    bakery ballet bamboo banana banjo banner barber bargain barley barn barrel bashful basket \
    batch bather battery beach beacon bead beak beaver bedroom beef beetle beggar bell belt \
    bench berry bicycle bingo birch biscuit bison blanket blazer blend blizzard block bloom \
    blossom blue board boat bobbin bonfire bonnet book boot border bottle boulder bounce bowl \
    boxer bracelet branch brass brave bravo bread breeze brick bridge brisk broccoli broom \
    brother brown brush bubble bucket buckle budget buffalo bugle builder bulb bundle bunny buoy \
    burger burrow butter button buzzard cabbage cabin cable cactus cafe cake calendar camel \
    cameo camera campus canary candle candy canoe canvas canyon captain caramel cardboard cargo \
    carousel carpet carrot cart cashew castle catalog cattle cave cedar celery cellar cement \
    century cereal chain chair chalk champion chapel charcoal chariot cheese cheetah cherry \
    chess chestnut chicken chief chimney chipmunk chisel choir chorus cider cinema circle circus \
    citrus city clam clarinet clasp classic clay clever cliff clinic clock cloth cloud clover \
    clown cluster coach coast cobbler cobra cocoa coconut coffee coin collar comet comma compass \
    concert condor cookie copilot copper coral cork corner cosmos cottage cotton cougar country \
    couple cousin cowboy cozy crab cradle crane crater crayon cream creek crew cricket crimson \
    crocus crown cruise crumb crystal cube cuckoo cucumber cupboard curtain curve cushion \
    custard cyclone cymbal daffodil dagger dahlia dainty dairy daisy dancer dapple daring dawn \
    decade deck deer delta denim dentist deputy desert desk dessert diamond diary diesel digit \
    dinner dinosaur diploma dipper doctor dolphin dome domino donkey doorbell dove dozen dragon \
    drama drawer dream dress drift driver drizzle drum duck dune dust dwarf eagle early earring \
    earth easel east echo eclipse editor eel elbow elder elephant elevator elf elm ember emerald \
    emperor empire engine envelope equator eraser errand eternal evening exit explorer eyebrow \
    fable fabric factory fair falcon family famous fancy farmer fathom faucet favor feast \
    feather fence fender fern ferry festival field fiesta fig filter finch finger fire fiscal \
    fish flag flame flash flavor fleece fleet flint flock flood floor flour flower fluffy flute \
    foam focus fog folder forest fork fortune forum fossil fountain fox fragile frame freckle \
    freezer friday friend fringe frog frost fruit fudge funnel furnace future gadget galaxy \
    gallon gallop garage garden garlic garment gate gecko gem genius gentle giant gift ginger \
    giraffe glacier glass glider glimpse globe glove glow goat golden golf goose gorilla gospel \
    gossip gown grace grain grandma granite grape grass gravel gravy green griffin grill grocery \
    guava guest guide guitar gulf gull gusto gutter habit haddock hall halo hammer hammock \
    hamster handle handy hanger harbor harmony harp harvest hatch hawk hazel headline heart \
    heather hedge helmet herald herb heron herring hickory hill hinge hippo history hobby hockey \
    holiday holly honey hoof horizon hornet horse hospital hostel hotel hound house huddle \
    humble hunter hurdle husky hut hydrant hymn iceberg icon idea igloo image impala inch indigo \
    infant inkwell insect insight inspector iris iron island ivory ivy jackal jacket jaguar \
    jasmine jazz jeans jelly jersey jewel jigsaw jingle jockey jogger joke jolly journal journey \
    jovial judge juggler juice jumbo jungle junior juniper jury kangaroo karate kayak keen \
    kennel kernel kettle keyboard kick kidney kiosk kitchen kite kitten kiwi knapsack knee \
    knight knock label ladder lagoon lake lamb lamp lantern lapel laptop laser lasso latch \
    lather laundry lava lavender lawn layer leader leaf leather lecture ledge legend lemon \
    lentil leopard lesson letter lettuce level library lilac lily lime linen lion lipstick \
    liquid listen little lizard llama loaf lobby lobster locket lodge lofty logic lotus lounge \
    lucky luggage lumber lunar lunch machine magenta magic magnet magpie mailbox mallet mango \
    manor maple marble march margin market maroon marsh mask mason master match mattress meadow \
    measure medal medley mellow melody melon memory mentor menu mercury merit mermaid merry \
    metal meteor midday midnight mileage milk mill mimic mineral minnow minstrel mint mirror \
    mist mitten mixer moat model modern mole moment monday monkey monsoon monster moose morning \
    mosaic mosquito moss moth motor mountain mouse movie muffin mule mural muscle museum \
    mushroom music mustard myth napkin narrow nation native nature navy nectar needle neighbor \
    nephew nest nettle network nickel nickname niece noble noodle noon normal north nose \
    notebook novel novice nugget number nurse nutmeg nylon oak oar oasis oatmeal object ocean \
    octagon octopus office olive olympic omelet onion opera orange orbit orchard orchid oregano \
    organ osprey ostrich otter outlet oval oven owl oxygen oyster paddle padlock paint pajamas \
    palace palette palm pamphlet pancake panda panel panther papaya paper parable parade parcel \
    parent parka parlor parrot parsley parsnip party passenger pasta patch path patio patrol \
    pattern pavement peach peacock peak peanut pear pebble pecan pedal pelican pencil penguin \
    penny pepper perch perfume person petal piano piccolo pickle picnic picture pier pigeon \
    pillow pilot pine pink pioneer pirate pizza planet plank plaster plate plow plum plush \
    plywood pocket poem poet polar polish polka pollen pony poodle popcorn poplar poppy porch \
    postcard potato pottery pouch powder prairie present pretzel prime prince printer prism \
    prize profit project proud prune public pudding pulley pulse pumpkin puppet puppy purple \
    purse puzzle pyramid quartz queen quest quiet quilt quiver quiz rabbit raccoon racket radar \
    radiant radio radish raft railway rainbow raisin rally ranch ranger rapid raven ravine razor \
    realm rebel recipe record redwood reef referee refuge region relay relish remedy rescue \
    resort restful ribbon rice riddle rider ridge ring ripple river robin robot rocket rodeo \
    roller romance roof rooster rope rose rotor rowboat royal rubber ruby rudder rugby ruler \
    runner runway rural rust sacred saddle safari saffron sailor salad salmon salon salsa salt \
    sample sand sapling sapphire sardine satin saturday sauce sauna sausage sawdust scale scarf \
    scene school science scissors scooter scout screen script scroll seafood seal season seaweed \
    secret seed seesaw senator sequel sermon shadow shallow shamrock shark sheep shelf shell \
    shepherd sheriff shield shingle ship shirt shoe shore shovel shower shrimp shuttle sibling \
    silent silk silver sincere singer siren sister skate sketch skillet skirt skunk sky sled \
    sleeve sleigh slender slipper slogan slope smile smoke smooth snail snake snorkel snow soap \
    soccer social socket sofa solar soldier solid sonata sonnet soup south spaniel spark sparrow \
    spatula speaker sphere spice spider spinach spiral sponge spoon spring sprout spruce squad \
    squash squid squirrel stable stadium stair stamp star statue steam steel stellar stem stereo \
    steward sticker stocking stone stork storm story stove stream street string studio sublime \
    sugar suitcase summer sunday sunflower sunrise sunset supper surfer swallow swan sweater \
    swift swing sword symbol symphony syrup table taco tailor talent tango tapestry target \
    tavern taxi teacher teacup team teapot telescope tempo tennis tent terrace theater thicket \
    thirsty thistle thorn thread throne thumb thunder thursday thyme ticket tidal tide tiger \
    timber tinder tiptoe tissue titan toast tobacco toddler toffee tomato tongue toolbox tooth \
    topaz topical torch tornado tortoise towel tower town tractor trader traffic trail train \
    tranquil travel treasure treaty tree tremble triangle tribute trio trombone trophy tropic \
    trousers trout truck trumpet trunk tuba tuesday tugboat tulip tuna tunnel turban turkey \
    turnip turtle tutor tuxedo twig twilight twin typist ultra uncle unicorn uniform union \
    unique unity upbeat upper urban vacation valiant valley valve vanilla vapor vase vault \
    velvet vendor veranda vessel vest victory video village vine vintage viola violet violin \
    visitor vista vitamin vivid vocal voice volcano voyage vulture wafer waffle wagon waiter \
    walnut walrus waltz wardrobe warm warrior wasp watch water wave wavy wax weasel weather \
    weaver wedding weekend whale wheat wheel whisker whisper whistle white widget wild willow \
    window winner winter wisdom witty wizard wolf wonder wood wool word worker world wreath \
    wrist writer yacht yard yarn yearbook yellow yogurt yolk young youth zebra zero zesty zigzag \
    zinc zipper zodiac zone zoo
    """
}
